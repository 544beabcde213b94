import { type Element, elementFrom } from '../text/elements.js';
import { type Input, type Parsing } from '../text/input.js';
import { nextTagFrom, tagAtCursor } from '../text/next-tag.js';
import { cutOff, NotACallError } from '../text/parse-errors.js';
import { beginsCall, endsCall, type Tag } from '../text/tags.js';

/** The call around a value between tags that are named like its key. */
export interface ElementValueContext {
  /** Name of the element that opened the value. */
  readonly name: string;
  /** Whether the call goes on, or ends, with this element behind the value. */
  readonly goesOnWith: (element: Element) => boolean;
  /** Whether nothing declares the text to be a call, so that the tag of one ends it. */
  readonly isGuess?: boolean;
  /** Receives the value in pieces. */
  readonly write: (text: string) => void;
}

const CUT_TAG = /^<[^<>]*$/;

/**
 * Reads the raw value of an element, `<content>…</content>`, up to its closing tag. The value may hold that tag, too,
 * so only one behind which the structure of the call goes on ends it.
 */
export class ElementValueReader {
  /** Whether the value has a parameter of its own. */
  private hasParameter = false;

  constructor(
    private readonly input: Input,
    private readonly context: ElementValueContext,
  ) {}

  /** Leaves the cursor behind the closing tag. @throws MalformedCallError if the answer ends before it */
  *read(): Parsing<void> {
    const { input } = this;
    for (;;) {
      this.pass(input.text.indexOf('<', input.at));
      if (input.at < input.text.length) {
        const closer = yield* this.closerAtCursor();
        if (closer > 0) {
          input.at += closer;
          return;
        }
        this.pass(input.at + 1);
      } else if (input.isEnded) {
        throw cutOff('inside a value');
      } else {
        yield;
      }
    }
  }

  /** Length of the closing tag at the cursor; 0 if none of the value stands there. */
  private *closerAtCursor(): Parsing<number> {
    const { context, input } = this;
    const element = yield* elementFrom(input);
    const tag = yield* tagAtCursor(input);
    if (tag && context.isGuess && beginsCall(tag)) {
      throw new NotACallError();
    }
    if (tag?.kind === 'parameter' && !context.isGuess) {
      return (yield* this.endsAtParameter(tag)) ? tag.length : 0;
    }
    if (!element) {
      this.stopAtCutCloser();
      return 0;
    }
    if (!element.isClosing || element.name !== context.name) {
      return 0;
    }
    const { offset, tag: nextTag, isEnd } = yield* nextTagFrom(input, element.length);
    const next = nextTag || isEnd ? undefined : yield* elementFrom(input, offset);
    const isEndOfValue =
      nextTag !== undefined || isEnd || (next ? context.goesOnWith(next) : this.isCutInTag(offset));
    return isEndOfValue ? element.length : 0;
  }

  /** Whether `</parameter>` stands in place of the closing tag: if nothing in the value opened it, and the call goes on. */
  private *endsAtParameter({ isClosing, length }: Tag): Parsing<boolean> {
    this.hasParameter ||= !isClosing;
    if (this.hasParameter) {
      return false;
    }
    const { offset, tag } = yield* nextTagFrom(this.input, length);
    const next = tag ? undefined : yield* elementFrom(this.input, offset);
    return tag ? endsCall(tag) : next !== undefined && this.context.goesOnWith(next);
  }

  /** Whether the answer ends in the middle of the tag behind the closing one. */
  private isCutInTag(offset: number): boolean {
    const { input } = this;
    return input.isEnded && !this.context.isGuess && CUT_TAG.test(input.text.slice(input.at + offset));
  }

  /** A closing tag that is cut off by the end of the answer belongs to no value. */
  private stopAtCutCloser(): void {
    const { context, input } = this;
    const rest = input.text.slice(input.at);
    if (input.isEnded && rest.length > 1 && `</${context.name}>`.startsWith(rest)) {
      throw cutOff('inside a value');
    }
  }

  /** Passes the text up to an offset, or all of it. */
  private pass(end: number): void {
    const { input } = this;
    const text = input.text.slice(input.at, end < 0 ? undefined : end);
    input.at += text.length;
    if (text !== '') {
      this.context.write(text);
    }
  }
}
