import { isQuote } from '../json/json-quotes.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type ValueSchema } from '../schema/argument-schema.js';
import { IncrementalParse, Input, type Parsing } from '../text/input.js';
import { malformed, NotACallError } from '../text/parse-errors.js';
import { type CallWriter } from './call-writer.js';

/** What the schema of a tool begins with: a tool that is described is not called. */
const SCHEMA_KEYS: ReadonlySet<string> = new Set(['type', 'properties', 'required', '$schema']);

/** Reads the arguments of a call from JSON and writes them while they arrive. */
export class JsonArgumentsReader {
  /** @param mayBeSchema whether they could be the schema of the tool's arguments instead */
  constructor(
    private readonly writer: CallWriter,
    private readonly repair: (name: string) => void,
    private readonly mayBeSchema: boolean,
  ) {}

  /** An object, keyword arguments in parentheses, or a string that holds one; null stands for no arguments. */
  *read(reader: LenientJsonReader): Parsing<void> {
    const char = yield* reader.next();
    if (char === '{' || char === '(') {
      yield* this.members(reader);
    } else if (isQuote(char)) {
      this.repair('encoded_arguments');
      yield* this.encoded(reader);
    } else {
      let json = '';
      yield* reader.value((piece) => (json += piece));
      if (json !== 'null') {
        throw malformed(`The arguments of ${this.writer.tool.name} must be a JSON object.`);
      }
    }
  }

  /** From JSON text that is complete. */
  readWhole(json: string): void {
    const input = new Input();
    input.push(json);
    input.end();
    this.read(new LenientJsonReader(input, this.repair)).next();
  }

  /** A value that is complete. */
  write(key: string, json: string): void {
    const { writer } = this;
    const coerced = writer.tool.schema.property(key).fromJson(json);
    writer.addRepairs(coerced.repairs);
    writer.key(key);
    writer.write(coerced.json);
  }

  private *members(reader: LenientJsonReader): Parsing<void> {
    const { tool } = this.writer;
    reader.enter();
    for (let key; (key = yield* reader.nextKey()) !== undefined;) {
      if (this.mayBeSchema && !this.writer.isOut && SCHEMA_KEYS.has(key) && !tool.declares(key)) {
        throw new NotACallError();
      }
      if (isQuote(yield* reader.next()) && takesAnyString(tool.schema.property(key))) {
        yield* this.string(key, reader);
      } else {
        let json = '';
        yield* reader.value((piece) => (json += piece));
        this.write(key, json);
      }
    }
  }

  private *string(key: string, reader: LenientJsonReader): Parsing<void> {
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
    yield* reader.string(write);
    write('"');
  }

  /** The string is read while it arrives. What is wrong in it counts at its end, however it came in pieces. */
  private *encoded(reader: LenientJsonReader): Parsing<void> {
    const inner = new Input();
    const reading = new IncrementalParse(inner, this.encodedObject(inner));
    let fault: Error | undefined;
    const goOn = (): void => {
      try {
        reading.resume();
      } catch (error) {
        fault = error as Error;
      }
    };
    yield* reader.string((content) => {
      if (fault === undefined) {
        inner.push(content.includes('\\') ? (JSON.parse(`"${content}"`) as string) : content);
        goOn();
      }
    });
    inner.end();
    goOn();
    if (fault !== undefined) {
      throw fault;
    }
  }

  private *encodedObject(inner: Input): Parsing<void> {
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

/** Whether a JSON string is right for the parameter as it stands, whatever it holds. */
function takesAnyString(schema: ValueSchema): boolean {
  return schema.takesString || schema.startsString('x');
}
