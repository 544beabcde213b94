/** Stands in a frame for its text. Escaped in any JSON text, so that it stands nowhere but where it was put. */
export const TEXT_PLACE = '\0';

const PLACE_AS_JSON = JSON.stringify(TEXT_PLACE);

/** A frame of a stream with a text in it. What is around the text is serialised once: each costs one `JSON.stringify`. */
export class TextFrame {
  private readonly head: string;
  private readonly tail: string;

  /** @param frame with `TEXT_PLACE` as a value in its JSON */
  constructor(frame: string) {
    const [head = '', tail = ''] = frame.split(PLACE_AS_JSON);
    this.head = head;
    this.tail = tail;
  }

  with(text: string): string {
    return this.head + JSON.stringify(text) + this.tail;
  }
}
