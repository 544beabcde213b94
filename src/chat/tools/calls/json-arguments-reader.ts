import { isQuote } from '../json/json-quotes.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { isContainer } from '../text/elements.js';
import { IncrementalParse } from '../text/incremental-parse.js';
import { Input, type Parsing } from '../text/input.js';
import { malformed, noObject, NotACallError } from '../text/parse-errors.js';
import { peekText } from '../text/scan.js';
import { beginsArguments, furtherMember, standsForAll } from './arguments-start.js';
import { type CallMode } from './call-mode.js';
import { type CallWriter } from './call-writer.js';
import { listedArguments } from './listed-arguments.js';

/** First keys of a JSON Schema: an answer that quotes a tool's definition does not call the tool. */
const SCHEMA_KEYS: ReadonlySet<string> = new Set(['type', 'properties', 'required', '$schema']);

/** The beginning of a text that is no JSON, no line of a key and a value, and nothing that stands for no arguments. */
const PLAIN_TEXT = /^["']\s*(?!null|none|[\w$-]+\s*[:=])[^\s{[("'\\]/i;
const MAX_PLAIN_START = 64;

/** Reads the arguments of a call as JSON and writes them while they arrive. */
export class JsonArgumentsReader {
  /** @param repair receives the name of each repair, e.g. `encoded_arguments` */
  constructor(
    private readonly writer: CallWriter,
    private readonly repair: (name: string) => void,
    private readonly mode: CallMode = 'declared',
  ) {}

  /** Reads an object, keyword arguments in parentheses, a string that holds an object, or null for no arguments. */
  *read(reader: LenientJsonReader): Parsing<void> {
    const char = yield* reader.next();
    if (char === '(') {
      reader.enter();
      if ((yield* reader.next()) === '{') {
        yield* this.readOnlyItem(reader);
      } else {
        yield* this.readMembers(reader);
      }
    } else if (char === '{') {
      const isDoubled = yield* reader.enterDoubled();
      yield* this.readMembers(reader);
      if (isDoubled) {
        yield* reader.leaveDoubled();
      }
    } else if (char === '[') {
      this.repair('listed_arguments');
      yield* this.readList(reader);
    } else if (isQuote(char) && (yield* this.readSole(reader))) {
      this.repair('unnamed_argument');
    } else if (isQuote(char)) {
      this.repair('encoded_arguments');
      if (yield* reader.enterQuotes()) {
        this.repair('unescaped_quote');
        yield* this.read(reader);
        yield* reader.leaveQuotes();
      } else {
        yield* this.readEncoded(reader);
      }
    } else {
      if ((yield* reader.json()) !== 'null') {
        throw noObject(this.writer.tool.name);
      }
    }
  }

  /** Reads the same where nothing is around them, with further members behind those that are closed too early. */
  *readAlone(reader: LenientJsonReader): Parsing<void> {
    yield* this.read(reader);
    while (yield* this.goesOn(reader.input)) {
      reader.enterUnopened();
      yield* this.readMembers(reader);
    }
  }

  /** Reads arguments whose JSON text is complete. */
  readWhole(json: string): void {
    this.read(new LenientJsonReader(Input.whole(json), this.repair)).next();
  }

  /** Writes one argument whose JSON text is complete, coerced to its schema. */
  writeArgument(key: string, json: string): void {
    const { writer } = this;
    const coerced = writer.tool.schema.property(key).fromJson(json);
    writer.addRepairs(coerced.repairs);
    writer.key(key);
    writer.write(coerced.json);
  }

  /** Reads a text in place of the arguments, `"Paris"`, as the only one that it can be. @returns whether there is one */
  private *readSole(reader: LenientJsonReader): Parsing<boolean> {
    const key = this.mode === 'declared' ? this.writer.tool.soleKeyBeside(new Set()) : undefined;
    if (key === undefined || !PLAIN_TEXT.test(yield* peekText(reader.input, MAX_PLAIN_START))) {
      return false;
    }
    yield* this.readMember(key, reader);
    return true;
  }

  /** Reads arguments in a list. Writes nothing before its end, since anything else in it makes it no call. */
  private *readList(reader: LenientJsonReader): Parsing<void> {
    const { tool } = this.writer;
    const json = yield* reader.json();
    const listed = listedArguments(json, tool);
    if (listed === undefined) {
      throw noObject(tool.name);
    }
    this.readWhole(listed);
  }

  /** Whether a further argument follows arguments that were closed too early. Consumes the comma. */
  private *goesOn(input: Input): Parsing<boolean> {
    const { key, offset } = yield* furtherMember(input);
    const goesOn = this.writer.tool.declares(key) && !this.writer.hasKey(key);
    input.at += goesOn ? offset : 0;
    return goesOn;
  }

  /** Reads an object in parentheses, as in JavaScript: `f({a: 1})`. */
  private *readOnlyItem(reader: LenientJsonReader): Parsing<void> {
    yield* reader.nextItem();
    reader.enter();
    yield* this.readMembers(reader);
    if (yield* reader.nextItem()) {
      throw malformed(`The call of ${this.writer.tool.name} has more than one argument in parentheses.`);
    }
  }

  /** Reads the members of an object or a list of arguments that has been entered. */
  private *readMembers(reader: LenientJsonReader): Parsing<void> {
    let isWholeCall = false;
    for (let read; (read = yield* reader.nextKey()) !== undefined;) {
      const key = this.keyOf(read);
      if (this.isSchemaKey(key)) {
        throw new NotACallError();
      }
      if (isWholeCall && isContainer(key)) {
        yield* this.read(reader);
      } else if (this.mayNameTool(key)) {
        isWholeCall = yield* this.readToolName(key, reader);
      } else if (!this.writer.hasKeys && standsForAll(key, this.writer.tool)) {
        yield* this.readWrapped(key, reader);
      } else {
        yield* this.readMember(key, reader);
      }
    }
  }

  /** Reads a first member that may hold all arguments, `{"arguments": {"city": "Paris"}}`, or the only one: `{"input": 1}`. */
  private *readWrapped(key: string, reader: LenientJsonReader): Parsing<void> {
    const { tool } = this.writer;
    const sole = tool.soleKeyBeside(new Set());
    const first = yield* reader.next();
    if (yield* beginsArguments(reader.input, tool)) {
      this.repair('wrapped_arguments');
      yield* this.read(reader);
    } else if (sole === undefined || first === '{') {
      yield* this.readMember(key, reader);
    } else {
      const json = yield* reader.json();
      const isAlone = (yield* reader.next()) !== ',';
      if (isAlone) {
        this.repair('wrapped_arguments');
      }
      this.writeArgument(isAlone ? sole : key, json);
    }
  }

  /** The parameter that a key can only mean: of its name, or without white space around that. */
  private keyOf(read: string): string {
    const { tool } = this.writer;
    return !tool.declares(read) && tool.declares(read.trim()) ? read.trim() : read;
  }

  private *readMember(key: string, reader: LenientJsonReader): Parsing<void> {
    const { tool } = this.writer;
    if (this.writer.hasKey(key)) {
      // The first value may be with the caller already.
      this.repair('doubled_key');
      yield* reader.value(() => undefined);
    } else if (isQuote(yield* reader.next()) && tool.schema.property(key).admitsAnyString) {
      yield* this.readString(key, reader);
    } else {
      const text = yield* this.readBareText(key, reader);
      this.writeArgument(key, text === undefined ? yield* reader.json() : JSON.stringify(text));
    }
  }

  /** Reads a text without quotes where the schema admits one, and nothing but a call can be meant. */
  private *readBareText(key: string, reader: LenientJsonReader): Parsing<string | undefined> {
    const { tool } = this.writer;
    const mayBe =
      this.mode === 'declared' && tool.declares(key) && tool.schema.property(key).admits('string');
    const text = mayBe ? yield* reader.bareText() : undefined;
    if (text !== undefined) {
      this.repair('unquoted_text');
    }
    return text;
  }

  /** Whether a member in front of all arguments may be the name in a call within the call. */
  private mayNameTool(key: string): boolean {
    const { tool, hasKeys } = this.writer;
    return key === 'name' && !hasKeys && tool.keys.length > 0 && !tool.declares(key);
  }

  /** Reads such a member. @returns whether it is the name, so that the arguments of the call follow within these */
  private *readToolName(key: string, reader: LenientJsonReader): Parsing<boolean> {
    const json = yield* reader.json();
    const isName = json === JSON.stringify(this.writer.tool.name);
    if (isName) {
      this.repair('wrapped_arguments');
    } else {
      this.writeArgument(key, json);
    }
    return isName;
  }

  /** Whether a guessed call turns out to be the definition of its tool. */
  private isSchemaKey(key: string): boolean {
    const { mode, writer } = this;
    return mode === 'guessed' && !writer.hasKeys && SCHEMA_KEYS.has(key) && !writer.tool.declares(key);
  }

  /** Streams a string argument. */
  private *readString(key: string, reader: LenientJsonReader): Parsing<void> {
    const { writer } = this;
    let isOpen = false;
    const write = (content: string): void => {
      if (!isOpen) {
        isOpen = true;
        writer.key(key);
        writer.write('"');
      }
      writer.write(content);
    };
    const { keys } = writer.tool;
    const isKey = (next: string): boolean => keys.includes(next) && !writer.hasKey(next);
    yield* reader.string(write, keys.length > 0 ? isKey : undefined);
    write('"');
  }

  /**
   * Reads the string that holds the arguments while it arrives. An error in its content is thrown at its end, so that
   * the result does not depend on how the answer is cut into pieces.
   */
  private *readEncoded(reader: LenientJsonReader): Parsing<void> {
    const inner = new Input();
    const parse = new IncrementalParse(inner, this.readEncodedObject(inner));
    let failure: Error | undefined;
    const resume = (): void => {
      try {
        parse.resume();
      } catch (error) {
        failure = error as Error;
      }
    };
    yield* reader.string((content) => {
      if (failure === undefined) {
        inner.push(content.includes('\\') ? (JSON.parse(`"${content}"`) as string) : content);
        resume();
      }
    });
    inner.end();
    resume();
    if (failure !== undefined) {
      throw failure;
    }
  }

  private *readEncodedObject(inner: Input): Parsing<void> {
    const reader = new LenientJsonReader(inner, this.repair);
    if ((yield* reader.next()) === '') {
      return;
    }
    yield* this.read(reader);
    const rest = yield* reader.next();
    if (rest !== '') {
      throw reader.unexpected(rest, 'the end of the arguments');
    }
  }
}
