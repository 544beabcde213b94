import { type PageElement } from './page-element.js';
import { anyOf } from './page-script.js';

declare const CSS: { escape(text: string): string };

/** Attributes that name an element, those that sites change the least first. */
const NAME_ATTRIBUTES = [
  'data-testid',
  'data-test',
  'data-qa',
  'name',
  'aria-label',
  'title',
  'placeholder',
  'type',
];

/** Length in characters from which on a name is a sentence, or made by a machine. */
export const MAX_NAME_LENGTH = 80;

/** Parts of names that are made anew with every build or visit. */
const PASSING_NAME = anyOf([
  '\\d{4,}', // message-17324
  '[0-9a-f]{8,}', // css-1a2b3c4d
  '^:', // :r1:
  '^radix-', // radix-3
  '^headlessui-', // headlessui-menu-button-1
]);

/** The functions and constants that `selectorOf` and `selectorInDialog` are joined with. */
export const SELECTOR_FUNCTIONS = [
  selectorInDialog,
  selectorOf,
  selectorByAncestors,
  pathStep,
  ownSelectors,
  isUnique,
  isLastingName,
];
export const SELECTOR_CONSTANTS = { NAME_ATTRIBUTES, MAX_NAME_LENGTH, PASSING_NAME };

/** A selector that fits this element alone; within a dialog one that fits only while that is open. */
export function selectorInDialog(element: PageElement): string {
  const selector = selectorOf(element);
  const dialog = element.closest('dialog[open]');
  if (!dialog) {
    return selector;
  }
  return `${isLastingName(dialog.id) ? `#${CSS.escape(dialog.id)}` : 'dialog'}[open] ${selector}`;
}

/**
 * A selector that fits this element alone: by its own names, by those of an element around it, or by its place; each
 * within the document or shadow root that it is in.
 */
export function selectorOf(element: PageElement): string {
  const own = ownSelectors(element);
  const { host } = element.getRootNode();
  const selector = own.find((name) => isUnique(name, element)) ?? selectorByAncestors(element, own);
  return host ? `${selectorOf(host)} >>> ${selector}` : selector;
}

function selectorByAncestors(element: PageElement, own: readonly string[]): string {
  let path = '';
  for (let node: PageElement | null = element; node && node.tagName !== 'HTML'; node = node.parentElement) {
    const around = node === element ? [] : ownSelectors(node);
    const found = around
      .flatMap((name) => [...own.map((last) => `${name} ${last}`), `${name} > ${path}`])
      .find((selector) => isUnique(selector, element));
    if (found !== undefined) {
      return found;
    }
    path = pathStep(node) + (path && ` > ${path}`);
  }
  return path;
}

/** The element's tag, with its number where its parent has several of that tag. */
export function pathStep(element: PageElement): string {
  const { tagName, parentNode } = element;
  const tag = tagName.toLowerCase();
  const alike = Array.from(parentNode?.children ?? []).filter((child) => child.tagName === tagName);
  return alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(element) + 1})` : tag;
}

/** Selectors by the names that an element has itself, the most telling first. */
export function ownSelectors(element: PageElement): string[] {
  const tag = element.tagName.toLowerCase();
  const names = [
    [element.id, `#${CSS.escape(element.id)}`] as const,
    ...NAME_ATTRIBUTES.map((name) => {
      const value = element.getAttribute(name) ?? '';
      return [value, `${tag}[${name}=${JSON.stringify(value)}]`] as const;
    }),
  ].filter(([name]) => isLastingName(name));
  // Frameworks count elements, e.g. mat-input-0, and another page, or the next visit, has another one of that number.
  const isCounted = ([name]: readonly [string, string]): boolean => /\d/.test(name);
  return [
    ...names.filter((name) => !isCounted(name)),
    ...(tag === 'textarea' || tag.includes('-') ? [['', tag] as const] : []),
    ...(element.isContentEditable ? [['', '[contenteditable="true"]'] as const] : []),
    ...names.filter(isCounted),
  ].map(([, selector]) => selector);
}

function isUnique(selector: string, element: PageElement): boolean {
  return element.getRootNode().querySelectorAll(selector).length === 1;
}

/** Whether an element is likely to have this name on the next visit, too. */
export function isLastingName(name: string): boolean {
  return name.length > 0 && name.length < MAX_NAME_LENGTH && !PASSING_NAME.test(name);
}
