import { type AnswerCalls } from '../calls/answer-calls.js';
import { type CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { RawArgumentWriter } from '../calls/raw-argument-writer.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { alone, type Input, type Parsing, skipWhitespace } from '../text/input.js';
import { cutOff, malformed } from '../text/parse-errors.js';
import { endsInClosingTag, endsInTag, readTag, type Tag } from '../text/tags.js';
import { TaggedValueReader } from './tagged-value-reader.js';

const OPEN_BRACE = 0x7b;
const LESS_THAN = 0x3c;

/** What stands around the parameters: `<function=NAME>`, with or without a wrapper, or a wrapper that begins with the name. */
export type CallFrame = 'function' | 'both' | 'wrapper';

/**
 * Reads a call as tags, from behind its name to behind `</function>`, or up to the wrapper's closing tag where that
 * alone ends it: parameters as tags, or all arguments as one JSON object. A call of no offered tool is read as well, without a writer, since its values may hold anything.
 */
export class TaggedCall {
  private readonly keys = new Set<string>();
  private hasBody = false;

  constructor(
    private readonly input: Input,
    private readonly calls: AnswerCalls,
    private readonly writer: CallWriter | undefined,
    private readonly frame: CallFrame,
  ) {}

  *read(): Parsing<void> {
    while (!(yield* this.isComplete())) {
      const code = yield* skipWhitespace(this.input);
      if (code === OPEN_BRACE) {
        yield* this.readBody();
      } else {
        yield* this.readParameter((yield* readTag(this.input))!);
      }
    }
    this.writer?.end();
    this.calls.close();
  }

  private readonly repair = (name: string): void => {
    this.writer?.addRepair(name);
  };

  /** Whether the call ends here; if not, a parameter or a body begins. */
  private *isComplete(): Parsing<boolean> {
    const { input } = this;
    const code = yield* skipWhitespace(input);
    const tag = code === LESS_THAN ? yield* readTag(input) : undefined;
    if (tag?.kind === 'function' && tag.isClosing) {
      input.at += tag.length;
      return true;
    }
    if ((code === OPEN_BRACE && !this.hasBody) || (tag?.kind === 'parameter' && !tag.isClosing)) {
      return false;
    }
    if (code < 0 && (!this.hasBody || this.writer?.isLacking)) {
      throw cutOff('before all of its arguments are given');
    }
    const endsWrapper = tag?.kind === 'wrapper' && tag.isClosing;
    if (endsWrapper && this.frame === 'wrapper') {
      return true;
    }
    const isFollowed = tag !== undefined || code < 0 || endsInClosingTag(input);
    if (this.hasBody ? isFollowed : endsWrapper) {
      this.repair('missing_closer');
      return true;
    }
    if (endsInTag(input)) {
      throw cutOff('before all of its arguments are given');
    }
    throw malformed(
      `The call of ${this.writer?.tool.name ?? 'a tool'} has text where a parameter should stand.`,
    );
  }

  private *readBody(): Parsing<void> {
    this.hasBody = true;
    const reader = new LenientJsonReader(this.input, this.repair);
    if (this.writer) {
      yield* new JsonArgumentsReader(this.writer, this.repair, false).read(reader);
    } else {
      yield* reader.value(() => undefined);
    }
  }

  private *readParameter({ name: key, word, isText, length }: Tag): Parsing<void> {
    const { input, writer } = this;
    this.hasBody = true;
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
    yield* alone(input, reader.read());
    value?.end();
  }

  /** The line break right after the opening tag, which is layout. */
  private *readLineBreak(): Parsing<string> {
    const { input } = this;
    const isOpen = (): boolean => {
      const next = input.text.slice(input.at, input.at + 2);
      return !input.isEnded && (next === '' || next === '\r');
    };
    while (isOpen()) {
      yield;
    }
    const lineBreak = ['\n', '\r\n'].find((one) => input.text.startsWith(one, input.at)) ?? '';
    input.at += lineBreak.length;
    return lineBreak;
  }
}
