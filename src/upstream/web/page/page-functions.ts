/*
 * Functions that run inside the page. They are sent as source text, so each must be self-contained: no imports, no
 * helpers. The types below declare only the parts of the DOM that they use.
 */
interface PageElement {
  readonly tagName: string;
  value?: string;
  textContent: string | null;
  innerText?: string;
  files?: unknown;
  readonly style: { whiteSpace: string };
  focus(): void;
  click(): void;
  dispatchEvent(event: unknown): boolean;
  readonly options?: ArrayLike<{ value: string; text: string }>;
}
interface Transfer {
  setData(type: string, data: string): void;
  readonly items: { add(file: unknown): void };
  readonly files: unknown;
}
type EventClass = new (type: string, init: object) => unknown;

declare const HTMLInputElement: { prototype: object };
declare const HTMLTextAreaElement: { prototype: object };
declare const InputEvent: EventClass;
declare const ClipboardEvent: EventClass;
declare const DataTransfer: new () => Transfer;
declare const File: new (parts: (string | Uint8Array)[], name: string, options: { type: string }) => unknown;
declare const getSelection: () => { selectAllChildren(element: unknown): void } | null;

/** A file for an input of a page: a text, or bytes in base64. */
export interface PageFile {
  readonly name: string;
  /** E.g. `text/plain`. */
  readonly type: string;
  readonly text?: string;
  readonly base64?: string;
}

/** Excerpt of an input's text, which may be a megabyte long. */
export interface InputExcerpt {
  /** First characters without white space, which editors change. */
  readonly head: string;
  /** Last characters, likewise. */
  readonly tail: string;
}

/** Sets an input's text as one change. The native setter bypasses frameworks that intercept the property. */
export function setValue(node: unknown, text: string): void {
  const element = node as PageElement;
  element.focus();
  if (element.tagName === 'TEXTAREA' || element.tagName === 'INPUT') {
    const owner = element.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, 'value')?.set?.call(element, text);
  } else {
    // Without it the page would read back a text without line breaks and indents.
    element.style.whiteSpace = 'pre-wrap';
    element.textContent = text;
  }
  element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Replaces an editor's content as a paste from the clipboard does; false where no editor takes it.
 * @param selectionMs wait until the editor has learned what is selected: it replaces what it knows of
 */
export async function pasteText(node: unknown, text: string, selectionMs: number): Promise<boolean> {
  const element = node as PageElement;
  if (element.tagName === 'TEXTAREA' || element.tagName === 'INPUT') {
    return false;
  }
  element.focus();
  getSelection()?.selectAllChildren(element);
  await new Promise((resolve) => setTimeout(resolve, selectionMs));
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  return !element.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
}

/** @param length characters of head and tail each */
export function readExcerpt(node: unknown, length: number): InputExcerpt {
  const element = node as PageElement;
  const text = element.value ?? element.innerText ?? '';
  const head = text.slice(0, 4 * length).replace(/\s/g, '');
  const tail = text.slice(-4 * length).replace(/\s/g, '');
  return { head: head.slice(0, length), tail: tail.slice(-length) };
}

/** A click without a pointer, for hidden elements. */
export function clickElement(node: unknown): void {
  (node as PageElement).click();
}

/** Picks an option by its value or its visible text; false if there is none. */
export function selectOption(node: unknown, wanted: string): boolean {
  const element = node as PageElement;
  const option = Array.from(element.options ?? []).find(
    ({ value, text }) => value === wanted || text.trim() === wanted,
  );
  if (!option) {
    return false;
  }
  element.value = option.value;
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** Puts files into a file input, in place of those that it holds. */
export function attachFiles(node: unknown, files: readonly PageFile[]): void {
  const element = node as PageElement;
  const transfer = new DataTransfer();
  for (const { name, type, text, base64 = '' } of files) {
    const content = text ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([content], name, { type }));
  }
  element.files = transfer.files;
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
