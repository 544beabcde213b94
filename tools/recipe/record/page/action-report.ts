import { SELECTOR_CONSTANTS, SELECTOR_FUNCTIONS, selectorInDialog, selectorOf } from './element-selector.js';
import { type PageDocument, type PageElement } from './page-element.js';
import { pageScript } from './page-script.js';

/** One thing that a person did on a page. */
export interface ActionReport {
  readonly kind: 'input' | 'click' | 'enter';
  readonly selector: string;
  /** Address of the page. */
  readonly url: string;
  /** The kind of field that was changed; only with `input`. */
  readonly field?: 'password' | 'text' | 'rich';
  /** The field's text after the change; never that of a password. */
  readonly value?: string;
  /** Whether the element is in a dialog; its selector holds only while that is open. */
  readonly isInDialog: boolean;
  /** Selector of a drop-down on the page whose name speaks of a model. */
  readonly modelSelect?: string;
}

type FieldReport = Pick<ActionReport, 'field' | 'value'>;

interface PageEvent {
  readonly isTrusted: boolean;
  readonly key?: string;
  readonly shiftKey?: boolean;
  readonly isComposing?: boolean;
  composedPath(): unknown[];
}

declare const window: { top: unknown };
declare const document: PageDocument;
declare const location: { href: string };
declare const addEventListener: (type: string, listener: (event: PageEvent) => void, options: object) => void;
declare const reportAction: (report: string) => void;

/** Name of `reportAction`, the function of the page's isolated world that brings a report here. */
export const ACTION_FUNCTION = 'reportAction';

/** Characters of a field that are reported. */
const MAX_VALUE_LENGTH = 20_000;
const EDITABLE = '[contenteditable="true"], [contenteditable=""]';
const CLICKABLE = 'button, a, label, [role="button"], input, textarea';
const ANY_DIALOG = 'dialog, [role="dialog"], [aria-modal="true"]';
/** Types of inputs that hold no text. */
const TEXTLESS_TYPES = ['checkbox', 'radio', 'file'];

/** Reports inputs, clicks and Enter from the page it runs in, as JSON of an `ActionReport`. */
export const ACTION_SCRIPT = pageScript(
  [
    watchActions,
    onInput,
    onClick,
    onKey,
    fieldReport,
    modelSelect,
    report,
    elementOf,
    editableAround,
    ...SELECTOR_FUNCTIONS,
  ],
  { MAX_VALUE_LENGTH, EDITABLE, CLICKABLE, ANY_DIALOG, TEXTLESS_TYPES, ...SELECTOR_CONSTANTS },
);

/** Frames are left out: a recipe's selectors do not reach into them. */
function watchActions(): void {
  if (window.top === globalThis) {
    const options = { capture: true, passive: true };
    addEventListener('input', onInput, options);
    addEventListener('click', onClick, options);
    addEventListener('keydown', onKey, options);
  }
}

function onInput(event: PageEvent): void {
  const target = elementOf(event);
  const element = target?.isContentEditable ? editableAround(target) : target;
  const field = element && fieldReport(element);
  if (field) {
    report('input', element, field.field === 'password' ? field : { ...field, ...modelSelect() });
  }
}

/** Clicks that scripts of the page make are left out, and likewise keys. */
function onClick(event: PageEvent): void {
  const target = elementOf(event);
  if (target && event.isTrusted) {
    report('click', target.closest(CLICKABLE) ?? target, {});
  }
}

function onKey(event: PageEvent): void {
  const target = elementOf(event);
  const isEnter = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
  if (target && event.isTrusted && isEnter) {
    report('enter', target.closest('[contenteditable="true"]') ?? target, {});
  }
}

/** Undefined for elements that hold no text, such as check boxes. */
export function fieldReport(element: PageElement): FieldReport | undefined {
  if (element.type === 'password') {
    return { field: 'password' };
  }
  if (element.isContentEditable) {
    return { field: 'rich', value: element.innerText.slice(0, MAX_VALUE_LENGTH) };
  }
  const isText = ['TEXTAREA', 'INPUT'].includes(element.tagName);
  return isText && !TEXTLESS_TYPES.includes(element.type ?? '')
    ? { field: 'text', value: (element.value ?? '').slice(0, MAX_VALUE_LENGTH) }
    : undefined;
}

function modelSelect(): { modelSelect?: string } {
  const select = Array.from(document.querySelectorAll('select')).find((element) => {
    const names = [element.id, element.getAttribute('name'), element.getAttribute('aria-label')];
    return /model/i.test(names.join(' '));
  });
  return select ? { modelSelect: selectorOf(select) } : {};
}

function report(kind: ActionReport['kind'], element: PageElement, more: Partial<ActionReport>): void {
  const common = {
    kind,
    selector: selectorInDialog(element),
    url: location.href,
    isInDialog: element.closest(ANY_DIALOG) !== null,
  };
  reportAction(JSON.stringify({ ...common, ...more }));
}

/** The innermost element that the event went to, in shadow trees, too. */
function elementOf(event: PageEvent): PageElement | undefined {
  return event
    .composedPath()
    .find((node): node is PageElement => (node as PageElement).tagName !== undefined);
}

function editableAround(element: PageElement): PageElement {
  return element.closest(EDITABLE) ?? element;
}
