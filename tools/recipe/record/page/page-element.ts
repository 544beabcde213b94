/** The parts of DOM elements that the functions in a page use; the project compiles without the library of the DOM. */
export interface PageElement {
  readonly tagName: string;
  readonly id: string;
  readonly type?: string;
  readonly value?: string;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly innerText: string;
  readonly textContent: string | null;
  readonly isContentEditable: boolean;
  readonly parentElement: PageElement | null;
  /** The parent element, or the shadow root or document that the element is at the top of. */
  readonly parentNode: { readonly children: ArrayLike<PageElement> } | null;
  getRootNode(): PageRoot;
  readonly children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  closest(selector: string): PageElement | null;
  contains(other: unknown): boolean;
  compareDocumentPosition(other: unknown): number;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  checkVisibility(options: object): boolean;
}

/** A document, or a shadow root with the element that it belongs to. */
export interface PageRoot {
  readonly host?: PageElement;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  elementFromPoint(x: number, y: number): PageElement | null;
}

export interface PageDocument {
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  elementFromPoint(x: number, y: number): PageElement | null;
}
