import { beginsArguments, standsForAll } from '../../calls/arguments-start.js';
import { type CallWriter } from '../../calls/call-writer.js';
import { type RawArgumentWriter } from '../../calls/raw-argument-writer.js';
import { CharCode } from '../../text/char-code.js';
import {
  closesParameter,
  type Element,
  elementFrom,
  isContainer,
  NAMELESS,
  skipKeyElement,
} from '../../text/elements.js';
import { runDetached } from '../../text/incremental-parse.js';
import { type Input, type Parsing } from '../../text/input.js';
import { endsInClosingTag, endsInTag, nextTagFrom, tagAtCursor, tagBehindText } from '../../text/next-tag.js';
import { cutOffEarly, malformed } from '../../text/parse-errors.js';
import { readLineBreak, skipWhitespace, startsWith } from '../../text/scan.js';
import { endsCall, isOpening, type Tag } from '../../text/tags.js';
import { ElementValueReader } from '../element-value-reader.js';
import { readLateArguments } from '../late-arguments.js';
import { type ParseContext } from '../parse-context.js';
import { type GivenAttributes } from './given-attributes.js';
import { TaggedArguments } from './tagged-arguments.js';
import { TaggedValueReader } from './tagged-value-reader.js';

/**
 * The tags around the parameters of a call:
 *
 *     function   <function=NAME> … </function>
 *     both       <tool_call><function=NAME> … </function></tool_call>
 *     wrapper    <tool_call>NAME … </tool_call>
 */
export type CallFrame = 'function' | 'both' | 'wrapper';

/** First characters of arguments in JSON, in a fence of it, or in Python. */
const BEGINS_JSON: ReadonlySet<number> = new Set([
  CharCode.braceOpen,
  CharCode.bracketOpen,
  CharCode.backtick,
  CharCode.parenthesisOpen,
]);

/**
 * Reads a call whose arguments are tags, or one JSON object between tags: from behind its name to behind `</function>`,
 * or up to the wrapper's closing tag if only that ends it. A call of a tool that is not offered is read as well, without
 * a writer, because its values may hold anything, also markup of calls.
 */
export class TaggedCall {
  private readonly given: TaggedArguments;
  private readonly input: Input;
  private hasArguments = false;
  private readonly repair = (name: string): void => {
    this.writer?.addRepair(name);
  };

  constructor(
    private readonly context: ParseContext,
    private readonly writer: CallWriter | undefined,
    private readonly frame: CallFrame,
  ) {
    this.input = context.input;
    this.given = new TaggedArguments(writer, this.repair);
  }

  *read(): Parsing<void> {
    while (!(yield* this.endsHere())) {
      yield* this.readArgument();
    }
    if (this.writer) {
      yield* readLateArguments(this.context, this.writer, this.repair);
    }
    this.end();
  }

  /** Takes arguments in the opening tag. A closing one has to follow it all the same. */
  take(given: GivenAttributes): void {
    this.given.takeAttributes(given);
  }

  /** Ends the call. */
  end(): void {
    this.writer?.end();
    this.context.calls.close();
  }

  /** Whether the call ends at the cursor. If not, a parameter or a JSON object begins there. */
  private *endsHere(): Parsing<boolean> {
    const { input } = this;
    for (;;) {
      const code = yield* skipWhitespace(input);
      const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
      if (tag?.kind === 'function' && tag.isClosing) {
        input.at += tag.length;
        if (!(yield* this.wasClosedEarly())) {
          return true;
        }
        continue;
      }
      const beginsJson = BEGINS_JSON.has(code) && !this.hasArguments;
      if (beginsJson || (tag?.kind === 'parameter' && !tag.isClosing)) {
        return false;
      }
      const element = code === CharCode.lessThan && !tag ? yield* elementFrom(input) : undefined;
      if (element && this.isParameter(element)) {
        return false;
      }
      if (!tag && !element && !this.hasArguments && (yield* this.given.takeLines(input))) {
        this.hasArguments = true;
        continue;
      }
      if (!(tag ? this.skipTag(tag) : element ? this.skipContainer(element) : yield* this.skipText(code))) {
        return this.endsWithoutFunctionTag(tag, code < 0);
      }
    }
  }

  /** Whether a parameter that the call lacks follows the closing tag of its function, which the wrapper does not follow. */
  private *wasClosedEarly(): Parsing<boolean> {
    const tag = this.frame === 'both' ? (yield* nextTagFrom(this.input, 0)).tag : undefined;
    const isEarly =
      tag !== undefined &&
      isOpening(tag, 'parameter') &&
      !this.given.keys.has(tag.name) &&
      (this.writer?.tool.declares(tag.name) ?? false);
    if (isEarly) {
      this.repair('surplus_closer');
    }
    return isEarly;
  }

  /** Whether this element is a parameter: by an attribute, or by its name, `<city>Paris</city>`. */
  private isParameter({ name, key, isClosing }: Element): boolean {
    return !isClosing && (key !== undefined || (this.writer?.tool.declares(name) ?? false));
  }

  /** Skips a tag that only closes what is closed already, or what no argument opened. @returns whether it is one */
  private skipTag({ kind, isClosing, length }: Tag): boolean {
    const needsNone = this.writer?.tool.required.length === 0;
    const isEmpty = kind === 'parameter' && (this.hasArguments || needsNone);
    const isSurplus = isClosing && (kind === 'thinking' || isEmpty);
    if (isSurplus) {
      this.hasArguments ||= isEmpty;
      this.input.at += length;
      this.repair('surplus_closer');
    }
    return isSurplus;
  }

  /** Skips a tag around all parameters or behind one, or the one that closes the call. @returns whether it is one */
  private skipContainer(element: Element): boolean {
    const isAround = isContainer(element.name) || closesParameter(element) || this.closesCall(element);
    this.input.at += isAround ? element.length : 0;
    return isAround;
  }

  /** Whether this is `</f>` behind the parameters of `<f>` in a wrapper, or `<function>` in place of its closing tag. */
  private closesCall({ name, isClosing }: Element): boolean {
    return isClosing ? name === this.writer?.tool.name : this.hasArguments && NAMELESS.has(name);
  }

  /** Skips a comment, or a little text between the arguments and what goes on with the call. @returns whether there is one */
  private *skipText(code: number): Parsing<boolean> {
    const { input } = this;
    const mayFollow = this.hasArguments || (code === CharCode.lessThan && (yield* startsWith(input, '<!--')));
    const found = code >= 0 && mayFollow ? yield* tagBehindText(input, 0) : undefined;
    if (!found || !(endsCall(found.tag) || isOpening(found.tag, 'parameter'))) {
      return false;
    }
    this.input.at += found.offset;
    this.repair('stray_text');
    return true;
  }

  /** Whether the wrapper's closing tag ends the call, or the answer with `</function>` missing. @throws if neither */
  private endsWithoutFunctionTag(tag: Tag | undefined, isEnd: boolean): boolean {
    const { input, writer } = this;
    if (isEnd && (!this.hasArguments || writer?.lacksRequired)) {
      throw cutOffEarly();
    }
    const closesWrapper = tag?.kind === 'wrapper' && tag.isClosing;
    if (closesWrapper && this.frame === 'wrapper') {
      return true;
    }
    const isFollowed = tag !== undefined || isEnd || endsInClosingTag(input);
    if (this.hasArguments ? isFollowed : closesWrapper) {
      this.repair('missing_closer');
      return true;
    }
    if (endsInTag(input)) {
      throw cutOffEarly();
    }
    throw malformed(`The call of ${writer?.tool.name ?? 'a tool'} has text where a parameter should stand.`);
  }

  private *readJsonArguments(): Parsing<void> {
    this.hasArguments = true;
    yield* this.given.takeJson(this.input);
  }

  private *readArgument(): Parsing<void> {
    const { input } = this;
    if ((yield* skipWhitespace(input)) !== CharCode.lessThan) {
      yield* this.readJsonArguments();
      return;
    }
    const tag = yield* tagAtCursor(input);
    if (!tag) {
      const { name, key = name, length } = (yield* elementFrom(input))!;
      input.at += length;
      yield* (yield* this.holdsAll(key)) ? this.readWrappedArguments() : this.readElement(key, name);
    } else if (tag.name !== '') {
      input.at += tag.length;
      yield* (yield* this.holdsAll(tag.name))
        ? this.readWrappedArguments()
        : this.readParameter(tag.name, tag);
    } else {
      input.at += tag.length;
      yield* this.readNameless(tag);
    }
  }

  /** Whether a JSON object with all arguments is the value of this parameter, which the tool has not. */
  private *holdsAll(name: string): Parsing<boolean> {
    const { hasArguments, writer } = this;
    const mayHold = !hasArguments && writer && standsForAll(name, writer.tool);
    // Any other text in braces is the value of an additional parameter.
    return mayHold === true && (yield* beginsArguments(this.input, writer.tool));
  }

  private *readWrappedArguments(): Parsing<void> {
    this.repair('wrapped_arguments');
    yield* skipWhitespace(this.input);
    yield* this.readJsonArguments();
    yield* this.skipParameterEnd();
  }

  private *skipParameterEnd(): Parsing<void> {
    const { input } = this;
    yield* skipWhitespace(input);
    const closer = yield* tagAtCursor(input);
    input.at += closer?.kind === 'parameter' && closer.isClosing ? closer.length : 0;
  }

  /** Reads a parameter whose opening tag has no name: its key is an element, or the only one that can be meant. */
  private *readNameless(tag: Tag): Parsing<void> {
    const { input, writer } = this;
    const named = yield* skipKeyElement(input);
    if (named !== undefined) {
      yield* this.readElement(named, 'value');
      yield* this.skipParameterEnd();
      return;
    }
    const key = writer?.tool.soleKeyBeside(this.given.keys);
    if (writer && key === undefined) {
      throw malformed(`A parameter of the call of ${writer.tool.name} has no name.`);
    }
    this.repair('missing_name');
    yield* this.readParameter(key ?? '', tag);
  }

  private *readParameter(key: string, { word, isPlain, isText }: Tag): Parsing<void> {
    const { writer } = this;
    const lineBreak = yield* readLineBreak(this.input);
    const value = this.beginValue(key, lineBreak, isText);
    const reader = new TaggedValueReader(this.input, {
      key,
      word,
      isPlain,
      isWrapped: this.frame !== 'function',
      isData: value !== undefined && !value.mayBeText,
      isOnOwnLine: lineBreak !== '',
      expects: (next) => !this.given.keys.has(next) && (writer?.tool.declares(next) ?? false),
      isGiven: (next) => this.given.keys.has(next),
      write: (text) => value?.write(text),
      repair: this.repair,
    });
    yield* runDetached(this.input, reader.read());
    value?.end(reader.isClosed);
  }

  /** Reads a parameter between tags that are named like its key, or `<value>`. */
  private *readElement(key: string, name: string): Parsing<void> {
    const lineBreak = yield* readLineBreak(this.input);
    const value = this.beginValue(key, lineBreak, false);
    const reader = new ElementValueReader(this.input, {
      name,
      goesOnWith: (next) =>
        isContainer(next.name) ||
        this.closesCall(next) ||
        (this.isParameter(next) && !this.given.keys.has(next.key ?? next.name)),
      write: (text) => value?.write(text),
    });
    yield* runDetached(this.input, reader.read());
    value?.end();
  }

  private beginValue(key: string, lineBreak: string, isText: boolean): RawArgumentWriter | undefined {
    this.hasArguments = true;
    return this.given.begin(key, lineBreak, isText);
  }
}
