import { type DeepSelector } from '../../recipe/deep-selector.js';
import { findDeep, shadowRootsIn } from './deep-query.js';
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

/** The rules of `DomCapture` as its function in the page reads them. */
export interface WatchRules {
  readonly answer: readonly DeepSelector[];
  readonly reasoning: readonly DeepSelector[];
  readonly busy: readonly DeepSelector[];
  readonly exclude: string;
  readonly isMarkdown: boolean;
  /** Whether the page has loaded another document since the prompt was entered, so that all it shows is of the prompt. */
  readonly isNewDocument: boolean;
}

type ShownElement = Parameters<typeof markdownOf>[0] & { readonly innerText?: string };
declare const document: Parameters<typeof shadowRootsIn>[0];
declare const MutationObserver: new (callback: () => void) => {
  observe(target: unknown, options: object): void;
};

/**
 * Runs in an isolated world of the page. It is sent as source text, together with the functions that it names, so it
 * must be self-contained otherwise. Reports a snapshot of the answer after each change, at most every 50 ms.
 */
export function watchAnswer({
  answer,
  reasoning,
  busy,
  exclude,
  isMarkdown,
  isNewDocument,
}: WatchRules): void {
  const { snapshotToGateway: report } = globalThis as unknown as {
    snapshotToGateway: (text: string) => void;
  };
  // What is excluded can only be left out by walking through the elements.
  const textOf = (element: ShownElement): string =>
    isMarkdown || (exclude !== '' && element.querySelector(exclude) !== null)
      ? markdownOf(element, exclude)
      : (element.innerText ?? '');
  const before = isNewDocument ? 0 : findDeep(answer).length;
  const lastText = (selectors: readonly DeepSelector[], from: number): string => {
    const element = findDeep(selectors).slice(from).at(-1) as ShownElement | undefined;
    return element ? textOf(element) : '';
  };
  // What shows before the prompt, e.g. while the page loads, is no sign of its answer.
  let isEarly = !isNewDocument && findDeep(busy).length > 0;
  let last = '';
  let isWaiting = false;
  const observer = new MutationObserver(() => {
    if (!isWaiting) {
      isWaiting = true;
      setTimeout(look, 50);
    }
  });
  const watched = new WeakSet<object>();
  // A change within a shadow root is no change of the document.
  const watchRoots = (): void => {
    for (const root of [document, ...shadowRootsIn(document)]) {
      if (!watched.has(root)) {
        watched.add(root);
        observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
      }
    }
  };
  function look(): void {
    isWaiting = false;
    watchRoots();
    const isBusy = findDeep(busy).length > 0;
    isEarly &&= isBusy;
    const snapshot = JSON.stringify({
      text: lastText(answer, before),
      reasoning: lastText(reasoning, 0),
      isBusy: isBusy && !isEarly,
      isEarly,
    });
    if (snapshot !== last) {
      last = snapshot;
      report(snapshot);
    }
  }
  look();
}
