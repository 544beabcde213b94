import { type Input, type Parsing } from '../../text/input.js';
import { endsInClosingTag, type NextTag, nextTagFrom, tagAtCursor } from '../../text/next-tag.js';
import { cutOff } from '../../text/parse-errors.js';
import { isWhitespace, startsWith } from '../../text/scan.js';
import { beginsCall, endsInCloserOf, isClosing, parseTagAt, type Tag } from '../../text/tags.js';
import { NestedCallCounter } from './nested-call-counter.js';
import { type TaggedValueContext, ValueOutlook, type ValueSoFar } from './value-outlook.js';

/**
 * Reads the raw value of a parameter up to its end. A value can hold anything, also markup of calls: a closing tag ends
 * it only if the structure of the call goes on behind that tag, and complete calls inside it are counted so that their
 * tags close themselves. A missing closing tag is made up for where nothing else can be meant.
 */
export class TaggedValueReader implements ValueSoFar {
  readonly inner = new NestedCallCounter();
  isLineBlank: boolean;
  /** Whether a closing tag ends the value; false where another tag of the call stands in its place. */
  isClosed = true;
  private readonly outlook: ValueOutlook;
  /** Elements whose closing tags models write for that of the value, unless they are part of it. */
  private readonly elements: readonly { opener: string; closer: string; isOpen: boolean }[];
  private isComplete = false;

  constructor(
    private readonly input: Input,
    private readonly context: TaggedValueContext,
  ) {
    this.isLineBlank = context.isOnOwnLine;
    this.outlook = new ValueOutlook(input, context, this);
    this.elements = [context.key, 'param'].map((name) => ({
      opener: `<${name}`,
      closer: `</${name}>`,
      isOpen: false,
    }));
  }

  /** Leaves the cursor behind the closing tag, or where that is missing. @throws MalformedCallError if the answer ends */
  *read(): Parsing<void> {
    const { input } = this;
    while (!this.isComplete) {
      const { text, at } = input;
      const end = this.nextTagStart(text, at);
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
    this.isComplete = tag ? yield* this.endsAt(tag) : this.endsInCloser() || (yield* this.endsAtElement());
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
    if (tag.kind === 'parameter' && !this.outlook.isOwnWord(tag)) {
      return false;
    }
    const next = (): Parsing<NextTag> => nextTagFrom(input, tag.length);
    if (!tag.isClosing) {
      const isNameless = tag.kind === 'parameter' && tag.name === '';
      const isEnd = isNameless && this.endsWithOpener(yield* next());
      input.at += isEnd ? tag.length : 0;
      return isEnd || (tag.kind === 'parameter' && this.endsBeforeParameter(tag.name));
    }
    if (tag.kind === 'parameter') {
      const isEnd = yield* this.outlook.callGoesOn(yield* next());
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

  /** Reports a closing tag that stays in the value although it may have been meant to end it. */
  private reportMarkup(tag: Tag): void {
    if (isClosing(tag, 'parameter') && this.outlook.isOwnWord(tag) && this.inner.isBalanced) {
      this.context.repair('markup_in_value');
    }
  }

  /** Whether the next parameter begins here and the closing tag of this one is missing. */
  private endsBeforeParameter(key: string): boolean {
    const { context, inner } = this;
    const canBeOwn = inner.isSettled && !inner.isOpen && (this.isLineBlank || context.isData);
    return canBeOwn && context.expects(key) && this.endWithoutCloser();
  }

  /** Whether an opening tag without a name is meant to close the value: if the call ends behind it, or goes on. */
  private endsWithOpener({ tag }: NextTag): boolean {
    const goesOn =
      tag?.kind === 'parameter' ? this.context.expects(tag.name) : tag && isClosing(tag, 'function');
    return goesOn === true && this.outlook.canEndBroken && this.repairMissingCloser();
  }

  /** Whether the call ends with this `</function>` and `</parameter>` is missing. */
  private *endsBeforeFunctionEnd(next: NextTag): Parsing<boolean> {
    if (next.tag && isClosing(next.tag, 'parameter') && this.outlook.isOwnWord(next.tag)) {
      // Both closing tags changed places, unless the function is closed once more.
      const { tag, isEnd } = yield* nextTagFrom(this.input, next.offset + next.tag.length);
      return (isEnd || (tag !== undefined && isClosing(tag, 'wrapper'))) && this.endWithoutCloser();
    }
    if (next.tag && isClosing(next.tag, 'wrapper') && this.inner.wrappers === 0) {
      return this.endsBeforeCallEnd(yield* nextTagFrom(this.input, next.offset + next.tag.length));
    }
    return this.endsBeforeCallEnd(next);
  }

  /** Whether nothing or another call follows the closing tag of the call. */
  private endsBeforeCallEnd({ tag, isEnd }: NextTag): boolean {
    return (isEnd || (tag !== undefined && beginsCall(tag))) && this.endWithoutCloser();
  }

  private endWithoutCloser(): true {
    this.isClosed = false;
    return this.repairMissingCloser();
  }

  private repairMissingCloser(): true {
    this.context.repair('missing_closer');
    return true;
  }

  /**
   * Whether the value ends at `</command>` behind `<parameter=command>`, as models write that take the key for the tag, or
   * at `</param>`. Consumes it. A value may be a document that has this element itself.
   */
  private *endsAtElement(): Parsing<boolean> {
    const { input, outlook } = this;
    for (const element of this.elements) {
      element.isOpen ||= yield* startsWith(input, element.opener);
      if (element.isOpen || !outlook.canEndBroken || !(yield* startsWith(input, element.closer))) {
        continue;
      }
      const next = yield* nextTagFrom(input, element.closer.length);
      const hasOwnCloser = next.tag !== undefined && isClosing(next.tag, 'parameter');
      if (!hasOwnCloser && (yield* outlook.callGoesOn(next))) {
        input.at += element.closer.length;
        return this.repairMissingCloser();
      }
    }
    return false;
  }

  /** Offset of the next `<` that is a tag or may become one; the length of the text if there is none. */
  private nextTagStart(text: string, start: number): number {
    let at = text.indexOf('<', start);
    while (at >= 0 && parseTagAt(text, at) === undefined && !this.mayBeElement(text, at)) {
      at = text.indexOf('<', at + 1);
    }
    return at < 0 ? text.length : at;
  }

  /** Whether a tag of such an element begins here, or may once more has arrived. */
  private mayBeElement(text: string, at: number): boolean {
    return this.elements.some(({ opener, closer }) => {
      if (text.length - at >= closer.length) {
        return text.startsWith(opener, at) || text.startsWith(closer, at);
      }
      const begun = text.slice(at);
      return begun.startsWith(opener) || opener.startsWith(begun) || closer.startsWith(begun);
    });
  }
}
