import { shadowRootsIn } from '../../../../src/upstream/web/capture/dom/deep-query.js';
import { isLastingName, SELECTOR_CONSTANTS } from './element-selector.js';
import { type PageDocument, type PageElement } from './page-element.js';
import { anyOf, pageScript } from './page-script.js';

/** What a page shows at one moment. */
export interface PageLook {
  /** Its text, and that of its shadow trees. */
  readonly text: string;
  /** A selector for each class and the like that an element which shows has. */
  readonly marks: readonly string[];
  /** Selector of the answer to the prompt; null if no other text is new, or nothing tells it from the prompt. */
  readonly answer: string | null;
}

declare const document: PageDocument & { readonly body: PageElement };
declare const CSS: { escape(text: string): string };

const MARKING_ATTRIBUTES = anyOf(['^data-', '^aria-', '^role$', '^title$']);
/** Words in the names of what holds an answer. */
const ANSWER_WORDS = anyOf([
  'answer',
  'assistant',
  'bot\\b',
  'response',
  'markdown',
  'prose',
  'content',
  'text',
  'message',
]);
/** Share of the new text from which on an element holds the answer; names and times stand beside it. */
const ANSWER_SHARE = 0.8;

/**
 * An expression that gives a `PageLook`.
 * @param linesBefore lines that the page showed before the prompt was sent
 */
export function lookScript(prompt: string, linesBefore: readonly string[]): string {
  return pageScript(
    [lookAtPage, answerSelector, answerPath, linesOf, marksOf, shadowRootsIn, isLastingName],
    { MARKING_ATTRIBUTES, ANSWER_WORDS, ANSWER_SHARE, ...SELECTOR_CONSTANTS },
    prompt,
    linesBefore,
  );
}

function lookAtPage(prompt: string, linesBefore: readonly string[]): PageLook {
  const inner = shadowRootsIn(document).flatMap((root) => Array.from((root as PageElement).children));
  // Shadow trees hold their styles.
  const text = [document.body, ...inner]
    .filter((element) => element.checkVisibility({}))
    .map(({ innerText }) => innerText ?? '')
    .join('\n');
  const asked = prompt.trim();
  const lines = linesOf(text).filter((line) => !linesBefore.includes(line) && !asked.includes(line));
  const shown = Array.from(document.querySelectorAll('*')).filter((element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  );
  const marks = Array.from(new Set(shown.flatMap(marksOf)));
  return { text, marks, answer: asked === '' ? null : answerSelector(lines, linesOf(asked)[0] ?? '') };
}

/** A selector whose last match is the answer, and which never matches the prompt. */
function answerSelector(lines: readonly string[], asked: string): string | null {
  const path = answerPath(lines);
  // The answer may repeat the prompt, and hold the short lines beside it, such as a name.
  const longestFirst = [...lines].sort((a, b) => b.length - a.length);
  const holdsPrompt = ({ innerText }: PageElement): boolean =>
    longestFirst.reduce((rest, line) => rest.replace(line, ''), innerText ?? '').includes(asked);
  const boxes = path.filter((element) => !holdsPrompt(element));
  const contents = boxes.filter(({ innerText }) => innerText.trim() === path[0]?.innerText.trim()).reverse();
  const fits = (selector: string): boolean => {
    const found = Array.from(document.querySelectorAll(selector));
    return contents.includes(found.at(-1) as PageElement) && !found.some(holdsPrompt);
  };
  const own = contents.flatMap(marksOf);
  const within = boxes
    .flatMap(marksOf)
    .flatMap((box) =>
      [...own, ...contents.map(({ tagName }) => tagName.toLowerCase())].map((mark) => `${box} ${mark}`),
    );
  const fitting = [own, within].map((selectors) => selectors.filter(fits));
  const named = fitting.map((selectors) => selectors.find((selector) => ANSWER_WORDS.test(selector)));
  return named[0] ?? named[1] ?? fitting.flat()[0] ?? null;
}

/** From the smallest element that holds most of these lines up to the page; empty if there is none. */
function answerPath(lines: readonly string[]): PageElement[] {
  const size = lines.join('').length;
  const holds = ({ innerText }: PageElement): boolean =>
    lines.filter((line) => (innerText ?? '').includes(line)).join('').length >= size * ANSWER_SHARE;
  const path: PageElement[] = [];
  let inner: PageElement | undefined = size > 0 && holds(document.body) ? document.body : undefined;
  while (inner) {
    path.unshift(inner);
    inner = Array.from(inner.children).findLast(holds);
  }
  return path;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function marksOf(element: PageElement): string[] {
  const tag = element.tagName.toLowerCase();
  const classes = (element.getAttribute('class') ?? '').split(/\s+/);
  const attributes = element
    .getAttributeNames()
    .filter((name) => MARKING_ATTRIBUTES.test(name))
    .map((name) => [name, element.getAttribute(name) ?? ''] as const);
  return [
    ...(tag.includes('-') ? [tag] : []),
    ...classes
      .filter((name) => isLastingName(name) && !/\d/.test(name))
      .map((name) => `.${CSS.escape(name)}`),
    ...attributes
      .filter(([, value]) => isLastingName(value) && !/\d/.test(value))
      .map(([name, value]) => `[${name}=${JSON.stringify(value)}]`),
  ];
}
