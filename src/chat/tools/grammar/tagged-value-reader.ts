import { type Input, type Parsing } from '../text/input.js';
import { endsInClosingTag, type NextTag, nextTagFrom, tagAtCursor, tagBehindText } from '../text/next-tag.js';
import { cutOff } from '../text/parse-errors.js';
import { endsLine, isWhitespace } from '../text/scan.js';
import { type TagKind } from '../text/tag-words.js';
import { endsInCloserOf, parseTagAt, type Tag } from '../text/tags.js';
import { NestedCallCounter } from './nested-call-counter.js';

/** The call around a value, as far as it decides where the value ends. */
export interface TaggedValueContext {
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

/**
 * Reads the raw value of a parameter up to its end. A value can hold anything, also markup of calls: a closing tag ends
 * it only if the structure of the call goes on behind that tag, and complete calls inside it are counted so that their
 * tags close themselves. A missing closing tag is made up for where nothing else can be meant.
 */
export class TaggedValueReader {
  private readonly inner = new NestedCallCounter();
  /** Whether the current line of the value is blank so far. */
  private isLineBlank: boolean;
  private isComplete = false;

  constructor(
    private readonly input: Input,
    private readonly context: TaggedValueContext,
  ) {
    this.isLineBlank = context.isOnOwnLine;
  }

  /** Leaves the cursor behind the closing tag, or where that is missing. @throws MalformedCallError if the answer ends */
  *read(): Parsing<void> {
    const { input } = this;
    while (!this.isComplete) {
      const { text, at } = input;
      const end = nextTagStart(text, at);
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
    if (this.inner.parameters > 0) {
      this.context.repair('markup_in_value');
    }
  }

  private *readTag(): Parsing<void> {
    const { input } = this;
    const tag = yield* tagAtCursor(input);
    this.isComplete = tag ? yield* this.endsAt(tag) : this.endsInCloser();
    if (this.isComplete) {
      return;
    }
    const start = input.at;
    input.at += tag?.length ?? 1;
    const text = input.text.slice(start, input.at);
    if (tag) {
      this.reportMarkup(tag);
      this.isLineBlank = false;
      this.context.write(text);
      this.inner.tag(tag);
    } else {
      this.passText(text);
    }
  }

  private passText(text: string): void {
    this.inner.text(text);
    // The last character decides for most pieces: only white space leaves the line undecided.
    if (isWhitespace(text.charCodeAt(text.length - 1))) {
      const lineBreak = text.lastIndexOf('\n');
      this.isLineBlank = (lineBreak >= 0 || this.isLineBlank) && text.slice(lineBreak + 1).trim() === '';
    } else {
      this.isLineBlank = false;
    }
    this.context.write(text);
  }

  /** Whether the value ends at the tag at the cursor; consumes the tag if it closes the value. */
  private *endsAt(tag: Tag): Parsing<boolean> {
    const { context, inner, input } = this;
    if (tag.kind === 'parameter' && !this.isOwnWord(tag)) {
      return false;
    }
    if (!tag.isClosing) {
      return tag.kind === 'parameter' && this.endsBeforeParameter(tag.name);
    }
    const next = (): Parsing<NextTag> => nextTagFrom(input, tag.length);
    if (tag.kind === 'parameter') {
      const isEnd = yield* this.callGoesOn(yield* next());
      input.at += isEnd ? tag.length : 0;
      return isEnd;
    }
    if (tag.kind === 'function') {
      return inner.isSettled && inner.functions === 0 && (yield* this.endsBeforeFunctionEnd(yield* next()));
    }
    const isOwn = tag.kind === 'wrapper' && context.isWrapped && inner.wrappers === 0 && !inner.isNamed;
    return isOwn && this.endsBeforeCallEnd(yield* next());
  }

  /** Whether the answer ends in the middle of the closing tag of the value. Consumes that. */
  private endsInCloser(): boolean {
    const { context, inner, input } = this;
    if (!endsInClosingTag(input)) {
      return false;
    }
    const isOwn = inner.isBalanced && endsInCloserOf(input.text, input.at, context.word);
    input.at = input.text.length;
    if (!isOwn) {
      throw cutOff('inside a value');
    }
    return this.repairMissingCloser();
  }

  /**
   * Whether a tag belongs to the one that opened the value. A closing tag in other letters, or that of the key, is taken
   * for its own only where it can be meant although it is broken.
   */
  private isOwnWord({ word, isPlain, isClosing }: Tag): boolean {
    const { context } = this;
    const isExact = word === context.word && (isPlain || !context.isPlain);
    return isExact || (isClosing && familyOf(word) === familyOf(context.word) && this.canEndBroken);
  }

  /** Reports a closing tag that stays in the value although it may have been meant to end it. */
  private reportMarkup(tag: Tag): void {
    if (isClosing(tag, 'parameter') && this.isOwnWord(tag) && this.inner.isBalanced) {
      this.context.repair('markup_in_value');
    }
  }

  /** Whether a closing tag at the cursor can be meant although the structure behind it is broken. */
  private get canEndBroken(): boolean {
    return this.inner.isBalanced && (!this.context.isOnOwnLine || this.isLineBlank);
  }

  /** Whether the next parameter begins here and the closing tag of this one is missing. */
  private endsBeforeParameter(key: string): boolean {
    const { context, inner } = this;
    const canBeOwn = inner.isSettled && !inner.isOpen && (this.isLineBlank || context.isData);
    return canBeOwn && context.expects(key) && this.repairMissingCloser();
  }

  /** Whether the call ends with this `</function>` and `</parameter>` is missing. */
  private *endsBeforeFunctionEnd(next: NextTag): Parsing<boolean> {
    if (next.tag && isClosing(next.tag, 'wrapper') && this.inner.wrappers === 0) {
      return this.endsBeforeCallEnd(yield* nextTagFrom(this.input, next.offset + next.tag.length));
    }
    return this.endsBeforeCallEnd(next);
  }

  /** Whether nothing or another call follows the closing tag of the call. */
  private endsBeforeCallEnd({ tag, isEnd }: NextTag): boolean {
    return (isEnd || (tag !== undefined && beginsCall(tag))) && this.repairMissingCloser();
  }

  private repairMissingCloser(): true {
    this.context.repair('missing_closer');
    return true;
  }

  /** Whether the structure of the call goes on, or ends, behind this `</parameter>`. */
  private *callGoesOn({ offset, tag, isEnd, isCut }: NextTag): Parsing<boolean> {
    const { context, inner, input } = this;
    if (!tag) {
      return isEnd || isCut ? !inner.isOpen : this.canEndBroken && (yield* this.endsBehindText(offset));
    }
    const behind = offset + tag.length;
    if (isOpening(tag, 'parameter')) {
      return this.goesOnWith(tag);
    }
    if (isClosing(tag, 'parameter')) {
      return (
        this.canEndBroken &&
        this.isOwnWord(tag) &&
        (yield* this.callGoesOn(yield* nextTagFrom(input, behind)))
      );
    }
    if (isClosing(tag, 'function')) {
      return context.isWrapped ? yield* this.callEndsBehindFunction(behind) : !inner.isOpen;
    }
    if (isClosing(tag, 'wrapper')) {
      return context.isWrapped && (yield* this.isOwnWrapper(behind));
    }
    return !inner.isOpen && inner.parameters === 0 && beginsCall(tag);
  }

  /** Whether the next parameter of the call is the one that this tag opens, or one that is given twice. */
  private goesOnWith({ name }: Tag): boolean {
    const { context, inner } = this;
    if (context.isGiven(name)) {
      return this.canEndBroken;
    }
    return !inner.isOpen && (inner.parameters === 0 || context.expects(name));
  }

  /** Whether the call ends behind a little text that stands where a parameter should. */
  private *endsBehindText(offset: number): Parsing<boolean> {
    const found = yield* tagBehindText(this.input, offset);
    if (!found?.tag.isClosing) {
      return false;
    }
    const behind = found.offset + found.tag.length;
    if (found.tag.kind === 'function' && this.context.isWrapped) {
      return yield* this.callEndsBehindFunction(behind);
    }
    const isEnd = found.tag.kind === 'function' || found.tag.kind === 'wrapper';
    return isEnd && (yield* endsLine(this.input, behind));
  }

  private *callEndsBehindFunction(start: number): Parsing<boolean> {
    const { offset, tag, isEnd } = yield* nextTagFrom(this.input, start);
    if (tag && isClosing(tag, 'wrapper')) {
      return yield* this.isOwnWrapper(offset + tag.length);
    }
    if (tag && isClosing(tag, 'function') && this.canEndBroken) {
      return yield* this.callEndsBehindFunction(offset + tag.length);
    }
    if (tag === undefined && !isEnd && this.canEndBroken) {
      const found = yield* tagBehindText(this.input, offset);
      const isWrapper = found !== undefined && isClosing(found.tag, 'wrapper');
      return isWrapper && (yield* endsLine(this.input, found.offset + found.tag.length));
    }
    return !this.inner.isOpen && (isEnd || (tag !== undefined && (beginsCall(tag) || isFabricated(tag))));
  }

  /**
   * Whether the closing tag of a wrapper belongs to this call: if no call inside the value waits for it, or if the
   * answer ends with it. In a value on lines of its own, a closing tag in the middle of a line is only mentioned.
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

/** Offset of the next `<` that is a tag or may become one; the length of the text if there is none. */
function nextTagStart(text: string, start: number): number {
  let at = text.indexOf('<', start);
  while (at >= 0 && parseTagAt(text, at) === undefined) {
    at = text.indexOf('<', at + 1);
  }
  return at < 0 ? text.length : at;
}

/** The same for `arg_key` and `arg_value`, whose closing tags models mix up. */
function familyOf(word: string): string {
  return word.startsWith('arg_') ? 'arg_' : word;
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

/** Whether the upstream goes on as the tool or as the caller. */
function isFabricated({ kind }: Tag): boolean {
  return kind === 'result' || kind === 'role';
}
