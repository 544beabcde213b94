import { type Input, isWhitespace, type Parsing } from '../text/input.js';
import { cutOff } from '../text/parse-errors.js';
import { type NextTag, nextTagFrom, parseTagAt, readTag, type Tag, type TagKind } from '../text/tags.js';
import { NestedCallCounter } from './nested-call-counter.js';

/** What the reader of a value has to know of the call. */
export interface TaggedValueContext {
  /** The word of the tag that opened it. */
  readonly word: string;
  /** Whether the call stands in a wrapper, whose closing tag is to follow. */
  readonly isWrapped: boolean;
  /** Whether the value can be anything but text, so that no tag in it is its own. */
  readonly isData: boolean;
  /** Whether the value began on a line of its own. */
  readonly isOnOwnLine: boolean;
  /** Whether the tool declares a parameter of this key that the call has not given yet. */
  readonly expects: (key: string) => boolean;
  readonly isGiven: (key: string) => boolean;
  readonly write: (text: string) => void;
  readonly repair: (name: string) => void;
}

/**
 * Reads the raw value of a parameter up to its end. Values hold anything, also markup of calls: a closing tag ends
 * one only where the structure of the call goes on behind it, and whole calls inside are counted, so that
 * their tags close themselves. Tags that models forget are made up for where nothing else can be meant.
 */
export class TaggedValueReader {
  private readonly inner = new NestedCallCounter();
  private isLineBlank: boolean;
  private isComplete = false;

  constructor(
    private readonly input: Input,
    private readonly context: TaggedValueContext,
  ) {
    this.isLineBlank = context.isOnOwnLine;
  }

  /** Leaves the cursor behind the closing tag, or where it should stand. */
  *read(): Parsing<void> {
    const { input } = this;
    while (!this.isComplete) {
      const { text, at } = input;
      const end = nextTag(text, at);
      if (end > at) {
        input.at = end;
        this.passText(at === 0 && end === text.length ? text : text.slice(at, end));
      }
      if (end < text.length) {
        yield* this.readTag();
      } else if (input.isEnded) {
        throw cutOff('inside a value');
      } else {
        yield;
      }
    }
  }

  private *readTag(): Parsing<void> {
    const { input } = this;
    const tag = yield* readTag(input);
    this.isComplete = tag !== undefined && (yield* this.isEnd(tag));
    if (this.isComplete) {
      return;
    }
    const start = input.at;
    input.at += tag?.length ?? 1;
    const text = input.text.slice(start, input.at);
    if (tag) {
      this.isLineBlank = false;
      this.context.write(text);
      this.inner.tag(tag);
    } else {
      this.passText(text);
    }
  }

  private passText(text: string): void {
    this.inner.text(text);
    // Most pieces end in a character that settles it.
    if (isWhitespace(text.charCodeAt(text.length - 1))) {
      const lineBreak = text.lastIndexOf('\n');
      this.isLineBlank = (lineBreak >= 0 || this.isLineBlank) && text.slice(lineBreak + 1).trim() === '';
    } else {
      this.isLineBlank = false;
    }
    this.context.write(text);
  }

  private *isEnd(tag: Tag): Parsing<boolean> {
    const { context, inner, input } = this;
    if (tag.kind === 'parameter' && tag.word !== context.word) {
      return false;
    }
    if (!tag.isClosing) {
      return tag.kind === 'parameter' && this.isForgottenBefore(tag.name);
    }
    const next = (): Parsing<NextTag> => nextTagFrom(input, tag.length);
    if (tag.kind === 'parameter') {
      const isEnd = yield* this.goesOn(yield* next());
      input.at += isEnd ? tag.length : 0;
      return isEnd;
    }
    if (tag.kind === 'function') {
      return inner.isSettled && inner.functions === 0 && (yield* this.isForgottenAtFunction(yield* next()));
    }
    const isOwn = tag.kind === 'wrapper' && context.isWrapped && inner.wrappers === 0 && !inner.isNamed;
    return isOwn && this.isForgotten(yield* next());
  }

  /** Whether the next parameter begins here although the tag that closes this one is missing. */
  private isForgottenBefore(key: string): boolean {
    const { context, inner } = this;
    const isFree = inner.isSettled && !inner.isOpen && (this.isLineBlank || context.isData);
    return isFree && context.expects(key) && this.madeUpFor();
  }

  /** `</function>` without `</parameter>`: the call ends here if nothing else, or another call, follows. */
  private *isForgottenAtFunction(next: NextTag): Parsing<boolean> {
    if (next.tag && isClosing(next.tag, 'wrapper') && this.inner.wrappers === 0) {
      return this.isForgotten(yield* nextTagFrom(this.input, next.offset + next.tag.length));
    }
    return this.isForgotten(next);
  }

  private isForgotten({ tag, isEnd }: NextTag): boolean {
    return (isEnd || (tag !== undefined && beginsCall(tag))) && this.madeUpFor();
  }

  private madeUpFor(): true {
    this.context.repair('missing_closer');
    return true;
  }

  /** Whether the structure of the call goes on, or ends, behind `</parameter>`. */
  private *goesOn({ offset, tag, isEnd, isCut }: NextTag): Parsing<boolean> {
    const { context, inner } = this;
    if (!tag) {
      return (isEnd || isCut) && !inner.isOpen;
    }
    const behind = offset + tag.length;
    if (isOpening(tag, 'parameter')) {
      const isNext = inner.parameters === 0 || context.expects(tag.name);
      return !inner.isOpen && !context.isGiven(tag.name) && isNext;
    }
    if (isClosing(tag, 'function')) {
      return context.isWrapped
        ? yield* this.goesOnBehindFunction(yield* nextTagFrom(this.input, behind))
        : !inner.isOpen;
    }
    if (isClosing(tag, 'wrapper')) {
      return context.isWrapped && (yield* this.isOwnWrapper(behind));
    }
    return !inner.isOpen && inner.parameters === 0 && beginsCall(tag);
  }

  private *goesOnBehindFunction({ offset, tag, isEnd }: NextTag): Parsing<boolean> {
    if (tag && isClosing(tag, 'wrapper')) {
      return yield* this.isOwnWrapper(offset + tag.length);
    }
    return !this.inner.isOpen && (isEnd || (tag !== undefined && (beginsCall(tag) || isFabricated(tag))));
  }

  /**
   * A wrapper's closing tag is ours if no call inside waits for it; and what the answer ends with is ours anyway. In a
   * value that was set on lines of its own, closing tags in the middle of a line that goes on are only mentioned.
   */
  private *isOwnWrapper(behind: number): Parsing<boolean> {
    const isMidLine = this.context.isOnOwnLine && !this.isLineBlank;
    const isInner = this.inner.wrappers > 0;
    if (!isInner && !isMidLine) {
      return true;
    }
    const { offset, tag, isEnd } = yield* nextTagFrom(this.input, behind);
    const { text, at } = this.input;
    const endsLine = tag !== undefined || text.slice(at + behind, at + offset).includes('\n');
    return isEnd || (!isInner && endsLine);
  }
}

/** Where the next tag stands that may count, or what may become one; the end of the text if there is none. */
function nextTag(text: string, start: number): number {
  let at = text.indexOf('<', start);
  while (at >= 0 && parseTagAt(text, at) === undefined) {
    at = text.indexOf('<', at + 1);
  }
  return at < 0 ? text.length : at;
}

function isOpening(tag: Tag, kind: TagKind): boolean {
  return tag.kind === kind && !tag.isClosing;
}

function isClosing(tag: Tag, kind: TagKind): boolean {
  return tag.kind === kind && tag.isClosing;
}

function beginsCall(tag: Tag): boolean {
  return isOpening(tag, 'wrapper') || isOpening(tag, 'function');
}

function isFabricated({ kind }: Tag): boolean {
  return kind === 'result' || kind === 'role';
}
