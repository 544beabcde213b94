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
  readonly children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
  contains(other: unknown): boolean;
  compareDocumentPosition(other: unknown): number;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  checkVisibility(options: object): boolean;
}

export interface PageDocument {
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  elementFromPoint(x: number, y: number): PageElement | null;
}
