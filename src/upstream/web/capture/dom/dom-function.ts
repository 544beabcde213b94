import { type DomRules } from '../../recipe/capture-rules.js';
import { markdownOf } from './markdown-function.js';

/** Name of the function in the page's isolated world that delivers a snapshot to the gateway. */
export const SNAPSHOT_FUNCTION = 'snapshotToGateway';

/** The visible part of an answer at one moment. */
export interface DomSnapshot {
  readonly text: string;
  readonly reasoning: string;
  readonly isBusy: boolean;
  /** Whether `busy` has been there since before the prompt. */
  readonly isEarly: boolean;
}

type ShownElement = Parameters<typeof markdownOf>[0] & { readonly innerText?: string };
declare const document: {
  querySelector(selector: string): unknown;
  querySelectorAll(selector: string): ArrayLike<ShownElement>;
};
declare const MutationObserver: new (callback: () => void) => {
  observe(target: unknown, options: object): void;
};

/**
 * Runs in an isolated world of the page. It is sent as source text, together with the functions that it names, so it
 * must be self-contained otherwise. Reports a snapshot of the answer after each change, at most every 50 ms.
 */
export function watchAnswer(rules: Omit<DomRules, 'mode'>): void {
  const { snapshotToGateway: report } = globalThis as unknown as {
    snapshotToGateway: (text: string) => void;
  };
  const exclude = rules.exclude.join(', ');
  // What is excluded can only be left out by walking through the elements.
  const textOf = (element: ShownElement): string =>
    rules.format === 'markdown' || (exclude !== '' && element.querySelector(exclude) !== null)
      ? markdownOf(element, exclude)
      : (element.innerText ?? '');
  const before = document.querySelectorAll(rules.answer).length;
  const lastText = (selector: string | undefined, from: number): string => {
    const found = selector === undefined ? [] : Array.from(document.querySelectorAll(selector)).slice(from);
    const element = found.at(-1);
    return element ? textOf(element) : '';
  };
  // What shows before the prompt, e.g. while the page loads, is no sign of its answer.
  let isEarly = document.querySelector(rules.busy) !== null;
  let last = '';
  let isWaiting = false;
  const look = (): void => {
    isWaiting = false;
    const isBusy = document.querySelector(rules.busy) !== null;
    isEarly &&= isBusy;
    const snapshot = JSON.stringify({
      text: lastText(rules.answer, before),
      reasoning: lastText(rules.reasoning, 0),
      isBusy: isBusy && !isEarly,
      isEarly,
    });
    if (snapshot !== last) {
      last = snapshot;
      report(snapshot);
    }
  };
  new MutationObserver(() => {
    if (!isWaiting) {
      isWaiting = true;
      setTimeout(look, 50);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  look();
}
