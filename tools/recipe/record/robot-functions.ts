/*
 * Finds by their looks what a person would use. Runs inside the page, handed over as source text: it stands alone. The
 * types name the little of the DOM that it uses.
 */
export type PageRole = 'user' | 'password' | 'logIn' | 'prompt' | 'send' | 'cover';

interface PageElement {
  readonly tagName: string;
  readonly id: string;
  readonly type?: string;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
  contains(other: unknown): boolean;
  compareDocumentPosition(other: unknown): number;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  checkVisibility(options: object): boolean;
}
declare const document: {
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  elementFromPoint(x: number, y: number): PageElement | null;
};

export function findByRole(role: PageRole): unknown {
  const FOLLOWING = 4;
  const TEXT_FIELDS =
    'input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=search]';
  const isShown = (element: PageElement): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 4 && height > 4 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };
  const shown = (selector: string, within: Pick<PageElement, 'querySelectorAll'> = document): PageElement[] =>
    Array.from(within.querySelectorAll(selector)).filter(
      (element) => isShown(element) && !element.disabled && !element.readOnly,
    );
  const words = (element: PageElement): string =>
    [
      element.textContent ?? '',
      element.id,
      ...['aria-label', 'title', 'name', 'placeholder', 'data-testid', 'class', 'autocomplete', 'value'].map(
        (name) => element.getAttribute(name) ?? '',
      ),
    ].join(' ');
  const best = (list: PageElement[], score: (element: PageElement) => number): PageElement | undefined =>
    list
      .map((element) => ({ element, points: score(element) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)[0]?.element;

  const password = shown('input[type=password]')[0];
  const prompt = best(
    shown(`textarea, [contenteditable=true], [contenteditable=""], [role=textbox], ${TEXT_FIELDS}`),
    (element) => {
      if (password && element.closest('form') === password.closest('form') && password.closest('form')) {
        return 0;
      }
      const { y, width, height } = element.getBoundingClientRect();
      const isField = element.tagName === 'INPUT';
      const fits = /message|ask|prompt|chat|send|type|question|composer/i.test(words(element)) ? 2 : 1;
      const isOther = /search|e-?mail|user|login|filter|name/i.test(words(element)) && fits === 1;
      return (width * Math.max(height, 20) * fits * (isField ? 0.2 : 1) + y) * (isOther ? 0.1 : 1);
    },
  );

  const button = (
    near: PageElement | undefined,
    wanted: RegExp,
    unwanted: RegExp,
  ): PageElement | undefined => {
    const area = near?.closest('form') ?? near?.closest('main, section, footer, [role=dialog]') ?? document;
    const list = shown('button, [role=button], input[type=submit]', area);
    return best(list, (element) => {
      const text = words(element);
      const isSubmit = element.type === 'submit' && element.closest('form') !== null;
      return (wanted.test(text) ? 4 : 0) + (isSubmit ? 3 : 0) - (unwanted.test(text) ? 5 : 0);
    });
  };

  switch (role) {
    case 'password':
      return password ?? null;
    case 'user': {
      const form = password?.closest('form') ?? document;
      const fields = shown(TEXT_FIELDS, form).filter(
        (element) => !password || (element.compareDocumentPosition(password) & FOLLOWING) !== 0,
      );
      return (
        best(fields, (element) => (/user|e-?mail|login|account|name|handle/i.test(words(element)) ? 2 : 1)) ??
        null
      );
    }
    case 'logIn':
      return (
        button(
          password,
          /log ?-?in|sign ?-?in|continue|next|submit|enter/i,
          /forgot|sign ?-?up|register|google|apple|sso/i,
        ) ?? null
      );
    case 'prompt':
      return prompt ?? null;
    case 'send':
      return (
        button(
          prompt,
          /send|submit|ask|arrow-?up|paper-?plane/i,
          /stop|attach|upload|file|voice|micro|model|new|menu|log ?-?out|search/i,
        ) ?? null
      );
    case 'cover': {
      if (!prompt) {
        return null;
      }
      const { x, y, width, height } = prompt.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!top || prompt.contains(top) || top.contains(prompt)) {
        return null;
      }
      const dialogs = shown('dialog[open], [role=dialog], [aria-modal=true]');
      return dialogs.flatMap((dialog) => shown('button, [role=button]', dialog))[0] ?? null;
    }
  }
}
