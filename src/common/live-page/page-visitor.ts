/** A picture of a page. */
export interface PageFrame {
  /** A JPEG in base64. */
  readonly picture: string;
  /** Size of the pictured area, in CSS pixels of the page. */
  readonly width: number;
  readonly height: number;
}

/** Names of the keys that a visitor may press, as in `KeyboardEvent.key`; everything else is text. */
export const VISITOR_KEYS = [
  ...['Enter', 'Tab', 'Backspace', 'Delete', 'Escape', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
] as const;
export type VisitorKey = (typeof VISITOR_KEYS)[number];

/** Something that a person does in a page. Places are in CSS pixels from the page's upper left corner. */
export type PageInput =
  | {
      readonly type: 'move' | 'down' | 'up';
      readonly x: number;
      readonly y: number;
      /** Mouse buttons that are down, as in `MouseEvent.buttons`. */
      readonly buttons: number;
      /** 2 for the second click of a double click. */
      readonly clicks: number;
    }
  | {
      readonly type: 'wheel';
      readonly x: number;
      readonly y: number;
      readonly deltaX: number;
      readonly deltaY: number;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'key'; readonly key: VisitorKey; readonly shift: boolean };

/** A person who uses a page from afar, as a driver sees it. Nothing that passes here is kept or logged. */
export interface PageVisitor {
  /** Takes a picture. The next one comes once its promise is fulfilled, and is the newest then. */
  show(frame: PageFrame): Promise<void>;

  /**
   * The page is the visitor's from now on, since the driver knows no further.
   * @param act does in the page what the visitor does, in order; never rejects
   */
  handOver(act: (inputs: readonly PageInput[]) => Promise<void>): void;
}
