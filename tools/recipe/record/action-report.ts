/*
 * What a person does on a page, for a first recipe. The function runs in an isolated world of the page and is handed
 * over as source text, so that it stands alone; the types name the little of the DOM that it uses.
 */
export interface ActionReport {
  readonly kind: 'input' | 'click' | 'enter';
  readonly selector: string;
  /** Address of the page. */
  readonly url: string;
  readonly field?: 'password' | 'text' | 'rich';
  /** What the field holds now; never of passwords. */
  readonly value?: string;
  /** The element is in a dialog; its selector holds only while that is open. */
  readonly isInDialog: boolean;
  /** A drop-down of the page whose name speaks of a model. */
  readonly modelSelect?: string;
}

/** The function of the isolated world that brings a report here. */
export const ACTION_FUNCTION = 'reportAction';

interface PageElement {
  readonly tagName: string;
  readonly id: string;
  readonly type?: string;
  readonly value?: string;
  readonly innerText: string;
  readonly isContentEditable: boolean;
  readonly parentElement: PageElement | null;
  readonly children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
}
interface PageEvent {
  readonly isTrusted: boolean;
  readonly key?: string;
  readonly shiftKey?: boolean;
  readonly isComposing?: boolean;
  composedPath(): unknown[];
}
declare const window: { top: unknown };
declare const document: { querySelectorAll(selector: string): ArrayLike<PageElement> };
declare const location: { href: string };
declare const CSS: { escape(text: string): string };
declare const addEventListener: (type: string, listener: (event: PageEvent) => void, options: object) => void;

export function reportActions(): void {
  if (window.top !== globalThis) {
    return;
  }
  const report = (globalThis as unknown as { reportAction: (text: string) => void }).reportAction;
  const MAX_VALUE = 20_000;
  const isUnique = (selector: string): boolean => document.querySelectorAll(selector).length === 1;
  /** Names that are made anew with every build or visit are of no use. */
  const isLasting = (name: string): boolean =>
    name.length > 0 && name.length < 80 && !/\d{4,}|[0-9a-f]{8,}|^:|^radix-|^headlessui-/i.test(name);

  const ownNames = (element: PageElement): string[] => {
    const tag = element.tagName.toLowerCase();
    const attributes = [
      'data-testid',
      'data-test',
      'data-qa',
      'name',
      'aria-label',
      'title',
      'placeholder',
      'type',
    ];
    return [
      ...(isLasting(element.id) ? [`#${CSS.escape(element.id)}`] : []),
      ...attributes.flatMap((name) => {
        const value = element.getAttribute(name) ?? '';
        return isLasting(value) ? [`${tag}[${name}=${JSON.stringify(value)}]`] : [];
      }),
      ...(tag === 'textarea' ? ['textarea'] : []),
      ...(element.isContentEditable ? ['[contenteditable="true"]'] : []),
    ];
  };

  const selectorOf = (element: PageElement): string => {
    const own = ownNames(element);
    const unique = own.find(isUnique);
    if (unique !== undefined) {
      return unique;
    }
    let path = '';
    for (let node: PageElement | null = element; node?.parentElement; node = node.parentElement) {
      const { tagName, parentElement } = node;
      for (const name of node === element ? [] : ownNames(node)) {
        const within = own.map((last) => `${name} ${last}`).concat(`${name} > ${path}`);
        const found = within.find((selector) => isUnique(selector));
        if (found !== undefined) {
          return found;
        }
      }
      const alike = Array.from(parentElement.children).filter((child) => child.tagName === tagName);
      const nth = alike.length > 1 ? `:nth-of-type(${alike.indexOf(node) + 1})` : '';
      path = `${tagName.toLowerCase()}${nth}${path && ` > ${path}`}`;
    }
    return path;
  };

  const scoped = (element: PageElement): string => {
    const selector = selectorOf(element);
    const dialog = element.closest('dialog[open]');
    return dialog
      ? `${isLasting(dialog.id) ? `#${CSS.escape(dialog.id)}` : 'dialog'}[open] ${selector}`
      : selector;
  };

  const modelSelect = (): { modelSelect?: string } => {
    const select = Array.from(document.querySelectorAll('select')).find((element) =>
      /model/i.test(
        `${element.id} ${element.getAttribute('name') ?? ''} ${element.getAttribute('aria-label') ?? ''}`,
      ),
    );
    return select ? { modelSelect: selectorOf(select) } : {};
  };

  const send = (kind: string, element: PageElement, more: object = {}): void =>
    report(
      JSON.stringify({
        kind,
        selector: scoped(element),
        url: location.href,
        isInDialog: element.closest('dialog, [role="dialog"], [aria-modal="true"]') !== null,
        ...more,
      }),
    );
  const options = { capture: true, passive: true };
  const elementOf = (event: PageEvent): PageElement | undefined =>
    event.composedPath().find((node): node is PageElement => (node as PageElement).tagName !== undefined);

  addEventListener(
    'input',
    (event) => {
      const target = elementOf(event);
      const element = target?.isContentEditable
        ? (target.closest('[contenteditable="true"], [contenteditable=""]') ?? target)
        : target;
      if (!element) {
        return;
      }
      if (element.type === 'password') {
        send('input', element, { field: 'password' });
      } else if (element.isContentEditable) {
        send('input', element, {
          field: 'rich',
          value: element.innerText.slice(0, MAX_VALUE),
          ...modelSelect(),
        });
      } else if (
        /^(?:TEXTAREA|INPUT)$/.test(element.tagName) &&
        !/^(?:checkbox|radio|file)$/.test(element.type ?? '')
      ) {
        send('input', element, {
          field: 'text',
          value: (element.value ?? '').slice(0, MAX_VALUE),
          ...modelSelect(),
        });
      }
    },
    options,
  );
  addEventListener(
    'click',
    (event) => {
      const target = elementOf(event);
      if (target && event.isTrusted) {
        send('click', target.closest('button, a, label, [role="button"], input, textarea') ?? target);
      }
    },
    options,
  );
  addEventListener(
    'keydown',
    (event) => {
      const target = elementOf(event);
      if (target && event.isTrusted && event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        send('enter', target.closest('[contenteditable="true"]') ?? target);
      }
    },
    options,
  );
}
