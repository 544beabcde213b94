import { type AnswerCalls } from '../calls/answer-calls.js';
import { type CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { RawArgumentWriter } from '../calls/raw-argument-writer.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { CharCode } from '../text/char-code.js';
import { runDetached } from '../text/incremental-parse.js';
import { type Input, type Parsing } from '../text/input.js';
import { endsInClosingTag, endsInTag, tagAtCursor } from '../text/next-tag.js';
import { cutOff, malformed } from '../text/parse-errors.js';
import { skipWhitespace } from '../text/scan.js';
import { type Tag } from '../text/tags.js';
import { TaggedValueReader } from './tagged-value-reader.js';

/**
 * The tags around the parameters of a call:
 *
 *     function   <function=NAME> … </function>
 *     both       <tool_call><function=NAME> … </function></tool_call>
 *     wrapper    <tool_call>NAME … </tool_call>
 */
export type CallFrame = 'function' | 'both' | 'wrapper';

/**
 * Reads a call whose arguments are tags, or one JSON object between tags: from behind its name to behind `</function>`,
 * or up to the wrapper's closing tag if only that ends it. A call of a tool that is not offered is read as well, without
 * a writer, because its values may hold anything, also markup of calls.
 */
export class TaggedCall {
  private readonly keys = new Set<string>();
  private hasArguments = false;
  private readonly repair = (name: string): void => {
    this.writer?.addRepair(name);
  };

  constructor(
    private readonly input: Input,
    private readonly calls: AnswerCalls,
    private readonly writer: CallWriter | undefined,
    private readonly frame: CallFrame,
  ) {}

  *read(): Parsing<void> {
    while (!(yield* this.endsHere())) {
      const code = yield* skipWhitespace(this.input);
      if (code === CharCode.braceOpen) {
        yield* this.readJsonArguments();
      } else {
        yield* this.readParameter((yield* tagAtCursor(this.input))!);
      }
    }
    this.writer?.end();
    this.calls.close();
  }

  /** Whether the call ends at the cursor. If not, a parameter or a JSON object begins there. */
  private *endsHere(): Parsing<boolean> {
    const { input } = this;
    const code = yield* skipWhitespace(input);
    const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
    if (tag?.kind === 'function' && tag.isClosing) {
      input.at += tag.length;
      return true;
    }
    const beginsJson = code === CharCode.braceOpen && !this.hasArguments;
    if (beginsJson || (tag?.kind === 'parameter' && !tag.isClosing)) {
      return false;
    }
    return this.endsWithoutFunctionTag(tag, code < 0);
  }

  /** Whether the wrapper's closing tag ends the call, or the answer with `</function>` missing. @throws if neither */
  private endsWithoutFunctionTag(tag: Tag | undefined, isEnd: boolean): boolean {
    const { input, writer } = this;
    if (isEnd && (!this.hasArguments || writer?.lacksRequired)) {
      throw cutOff('before all of its arguments are given');
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
      throw cutOff('before all of its arguments are given');
    }
    throw malformed(`The call of ${writer?.tool.name ?? 'a tool'} has text where a parameter should stand.`);
  }

  private *readJsonArguments(): Parsing<void> {
    this.hasArguments = true;
    const reader = new LenientJsonReader(this.input, this.repair);
    if (this.writer) {
      yield* new JsonArgumentsReader(this.writer, this.repair, 'declared').read(reader);
    } else {
      yield* reader.value(() => undefined);
    }
  }

  private *readParameter({ name: key, word, isText, length }: Tag): Parsing<void> {
    const { input, writer } = this;
    this.hasArguments = true;
    this.keys.add(key);
    input.at += length;
    const lineBreak = yield* this.readLineBreak();
    const value = writer && new RawArgumentWriter(key, writer, lineBreak, isText);
    const reader = new TaggedValueReader(input, {
      word,
      isWrapped: this.frame !== 'function',
      isData: value !== undefined && !value.mayBeText,
      isOnOwnLine: lineBreak !== '',
      expects: (next) => !this.keys.has(next) && (writer?.tool.declares(next) ?? false),
      isGiven: (next) => this.keys.has(next),
      write: (text) => value?.write(text),
      repair: this.repair,
    });
    yield* runDetached(input, reader.read());
    value?.end();
  }

  /** Consumes the line break behind the opening tag, which is layout. @returns it, empty if there is none */
  private *readLineBreak(): Parsing<string> {
    const { input } = this;
    const isUndecided = (): boolean => {
      const next = input.text.slice(input.at, input.at + 2);
      return !input.isEnded && (next === '' || next === '\r');
    };
    while (isUndecided()) {
      yield;
    }
    const lineBreak = ['\n', '\r\n'].find((one) => input.text.startsWith(one, input.at)) ?? '';
    input.at += lineBreak.length;
    return lineBreak;
  }
}
