import { type Input, type Parsing } from '../../text/input.js';
import { type NextTag, nextTagFrom, tagBehindText } from '../../text/next-tag.js';
import { endsLine } from '../../text/scan.js';
import { beginsCall, endsCall, isClosing, isOpening, type Tag } from '../../text/tags.js';
import { type NestedCallCounter } from './nested-call-counter.js';

/** Closing tags in a row that are passed to see what follows; a value of thousands would take quadratic time. */
const MAX_CLOSERS = 8;

/** Characters of text behind a call that are searched for its closing tags. */
const MAX_TEXT = 4096;

/** The call around a value, as far as it decides where the value ends. */
export interface TaggedValueContext {
  /** Key of the parameter. */
  readonly key: string;
  /** The word of the tag that opened the value, and whether it was in lower case. */
  readonly word: string;
  readonly isPlain: boolean;
  /** Whether the call stands in a wrapper, so that its closing tag must follow. */
  readonly isWrapped: boolean;
  /** Whether the schema admits no text, so that no tag can belong to the value. */
  readonly isData: boolean;
  /** Whether the value began on a line of its own. */
  readonly isOnOwnLine: boolean;
  /** Whether the tool declares a parameter of this key that the call does not have yet. */
  readonly expects: (key: string) => boolean;
  /** Whether the call has a parameter of this key. */
  readonly isGiven: (key: string) => boolean;
  /** Receives the value in pieces. */
  readonly write: (text: string) => void;
  /** Receives the name of each repair: `missing_closer`, `markup_in_value`. */
  readonly repair: (name: string) => void;
}

/** What has been read of a value. */
export interface ValueSoFar {
  /** Calls that are open in it. */
  readonly inner: NestedCallCounter;
  /** Whether its current line is blank so far. */
  readonly isLineBlank: boolean;
}

/** Looks ahead of a value, whether the structure of the call goes on there, so that the value has ended. */
export class ValueOutlook {
  constructor(
    private readonly input: Input,
    private readonly context: TaggedValueContext,
    private readonly value: ValueSoFar,
  ) {}

  /**
   * Whether a tag belongs to the one that opened the value. A closing tag in other letters, or that of the key, is taken
   * for its own only where it can be meant although it is broken.
   */
  isOwnWord({ word, isPlain, isClosing }: Tag): boolean {
    const { context } = this;
    const isExact = word === context.word && (isPlain || !context.isPlain);
    return isExact || (isClosing && familyOf(word) === familyOf(context.word) && this.canEndBroken);
  }

  /** Whether a closing tag at the cursor can be meant although the structure behind it is broken. */
  get canEndBroken(): boolean {
    return this.value.inner.isBalanced && (!this.context.isOnOwnLine || this.value.isLineBlank);
  }

  /** Whether the structure of the call goes on, or ends, behind this `</parameter>`. */
  *callGoesOn(next: NextTag): Parsing<boolean> {
    const { context } = this;
    const { inner } = this.value;
    const { offset, tag, isEnd, isCut } = yield* this.behindClosers(
      next,
      (each) => isClosing(each, 'parameter') && this.canEndBroken && this.isOwnWord(each),
    );
    if (!tag) {
      return isEnd || isCut ? !inner.isOpen : this.canEndBroken && (yield* this.endsBehindText(offset));
    }
    const behind = offset + tag.length;
    if (isOpening(tag, 'parameter')) {
      return this.goesOnWith(tag);
    }
    if (isClosing(tag, 'function')) {
      return context.isWrapped ? yield* this.callEndsBehindFunction(behind) : !inner.isOpen;
    }
    if (isClosing(tag, 'wrapper')) {
      return yield* context.isWrapped ? this.isOwnWrapper(behind) : this.endsWithoutOpener(behind);
    }
    return !inner.isOpen && inner.parameters === 0 && beginsCall(tag);
  }

  /** Whether the call ends with the closing tag of a wrapper that was never opened. */
  private *endsWithoutOpener(behind: number): Parsing<boolean> {
    const { tag, isEnd } = yield* nextTagFrom(this.input, behind);
    return this.canEndBroken && (isEnd || (tag !== undefined && beginsCall(tag)));
  }

  /** What follows behind closing tags that are written again; one of them if there are many. */
  private *behindClosers(next: NextTag, isCloser: (tag: Tag) => boolean): Parsing<NextTag> {
    let found = next;
    for (let passed = 0; passed < MAX_CLOSERS && found.tag && isCloser(found.tag); passed++) {
      found = yield* nextTagFrom(this.input, found.offset + found.tag.length);
    }
    return found;
  }

  /** Whether the next parameter of the call is the one that this tag opens, or one that is given twice. */
  private goesOnWith({ name }: Tag): boolean {
    const { context } = this;
    const { inner } = this.value;
    if (context.isGiven(name)) {
      return this.canEndBroken;
    }
    return !inner.isOpen && (inner.parameters === 0 || context.expects(name));
  }

  /** Whether the call ends behind a little text that stands where a parameter should. */
  private *endsBehindText(offset: number): Parsing<boolean> {
    const found = yield* tagBehindText(this.input, offset);
    if (!found?.tag.isClosing) {
      return found !== undefined && this.expectsOnNewLine(offset, found);
    }
    const behind = found.offset + found.tag.length;
    if (found.tag.kind === 'function' && this.context.isWrapped) {
      return yield* this.callEndsBehindFunction(behind);
    }
    return endsCall(found.tag) && (yield* endsLine(this.input, behind));
  }

  /** Whether a tag behind a little text begins a line and opens a parameter that the call still lacks. */
  private expectsOnNewLine(start: number, { offset, tag }: { offset: number; tag: Tag }): boolean {
    const { text, at } = this.input;
    const isLineStart = /\n[^\S\n]*$/.test(text.slice(at + start, at + offset));
    return isLineStart && isOpening(tag, 'parameter') && this.context.expects(tag.name);
  }

  private *callEndsBehindFunction(start: number): Parsing<boolean> {
    const { offset, tag, isEnd } = yield* this.behindClosers(
      yield* nextTagFrom(this.input, start),
      (each) => isClosing(each, 'function') && this.canEndBroken,
    );
    if (tag && isClosing(tag, 'wrapper')) {
      return yield* this.isOwnWrapper(offset + tag.length);
    }
    if (tag && isOpening(tag, 'parameter') && this.context.expects(tag.name)) {
      // The function was closed too early.
      return this.canEndBroken;
    }
    if (tag === undefined && !isEnd && this.canEndBroken) {
      const found = yield* tagBehindText(this.input, offset);
      if (found && isClosing(found.tag, 'wrapper')) {
        return yield* endsLine(this.input, found.offset + found.tag.length);
      }
      return (!found || beginsCall(found.tag)) && (yield* this.forgetsWrapper(start, offset));
    }
    return (
      !this.value.inner.isOpen && (isEnd || (tag !== undefined && (beginsCall(tag) || isFabricated(tag))))
    );
  }

  /**
   * Whether the wrapper is never closed behind `</function>`: if the text behind it begins a line, and no closing tag of
   * the call stands in it. Otherwise the value holds these tags, as the source of a parser does.
   */
  private *forgetsWrapper(start: number, offset: number): Parsing<boolean> {
    const { text, at } = this.input;
    if (!text.slice(at + start, at + offset).includes('\n')) {
      return false;
    }
    const found = yield* tagBehindText(this.input, offset, MAX_TEXT);
    return !found || beginsCall(found.tag) || isFabricated(found.tag);
  }

  /**
   * Whether the closing tag of a wrapper belongs to this call: if no call inside the value waits for it, or if the
   * answer ends with it. In a value on lines of its own, a closing tag in the middle of a line is only mentioned.
   */
  private *isOwnWrapper(behind: number): Parsing<boolean> {
    const isMidLine = this.context.isOnOwnLine && !this.value.isLineBlank;
    const isInner = this.value.inner.wrappers > 0;
    if (!isInner && !isMidLine) {
      return true;
    }
    const { offset, tag, isEnd } = yield* nextTagFrom(this.input, behind);
    const { text, at } = this.input;
    const endsLine = tag !== undefined || text.slice(at + behind, at + offset).includes('\n');
    return isEnd || (!isInner && endsLine);
  }
}

/** The same for `arg_key` and `arg_value`, whose closing tags models mix up. */
function familyOf(word: string): string {
  return word.startsWith('arg_') ? 'arg_' : word;
}

/** Whether the upstream goes on as the tool or as the caller. */
function isFabricated({ kind }: Tag): boolean {
  return kind === 'result' || kind === 'role';
}
