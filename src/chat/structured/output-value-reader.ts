import { parsedJson } from '../../common/text/parsed-json.js';
import { quotedName } from '../../common/text/shortened.js';
import { LenientJsonReader } from '../tools/json/lenient-json-reader.js';
import { IncrementalParse } from '../tools/text/incremental-parse.js';
import { Input, type Parsing } from '../tools/text/input.js';
import { type OutputSchema } from './output-schema.js';

/** The value at hand does not conform to its schema. The message is written for the model. */
export class InvalidOutputError extends Error {}

/** Members that have passed, by name; kept over the answers of one request. */
export type SentMembers = Map<string, unknown>;

/**
 * Reads one JSON value while it arrives, brings it to its schema, and writes what conforms: member by member if the
 * schema allows, otherwise at its end. Sound JSON that conforms is written byte for byte.
 */
export class OutputValueReader {
  private readonly input = new Input();
  private readonly reader = new LenientJsonReader(this.input, () => undefined);
  private readonly parse: IncrementalParse;
  private readonly ownKeys = new Set<string>();
  /** Text of the member at hand, until it has passed. */
  private pending = '';
  private arrived = 0;
  private isRead = false;
  private hasContent = false;
  private isScalar = false;

  /** @param write receives JSON text that conforms, in pieces */
  constructor(
    private readonly schema: OutputSchema,
    private readonly sent: SentMembers,
    private readonly write: (json: string) => void,
  ) {
    this.parse = new IncrementalParse(this.input, this.read());
  }

  /** Whether the whole value has been written. */
  get isDone(): boolean {
    return this.isRead;
  }

  /** Whether anything of the value has been understood; if not, the text may be no JSON at all. */
  get hasBegun(): boolean {
    return this.hasContent || this.isScalar;
  }

  /** Number of characters read so far. */
  get readLength(): number {
    return this.arrived - (this.input.text.length - this.input.at);
  }

  /** Text read or arrived, and not written yet. */
  get unsent(): string {
    return this.pending + this.input.peekKept() + this.input.text.slice(this.input.at);
  }

  /**
   * @param text of the answer, from the first character of the value on
   * @throws InvalidOutputError or ParseError
   */
  push(text: string): void {
    this.arrived += text.length;
    this.input.push(text);
    this.parse.resume();
  }

  /** The answer is over. @throws as `push` */
  end(): void {
    if (this.isScalar) {
      // A number by itself ends with the answer; without anything behind it, it would count as cut off.
      this.input.push('\n');
    }
    this.input.end();
    this.parse.resume();
  }

  private *read(): Parsing<void> {
    const { input, reader } = this;
    const char = yield* reader.next();
    this.isScalar = char !== '{' && char !== '[';
    input.keep();
    if (char === '{' && this.schema.isMemberwise) {
      yield* this.readMembers();
    } else {
      yield* this.readWhole();
    }
    input.drop();
    this.isRead = true;
  }

  private *readMembers(): Parsing<void> {
    const { input, reader } = this;
    reader.enter();
    for (let key; (key = yield* reader.nextKey()) !== undefined;) {
      this.hasContent = true;
      const json = yield* reader.json();
      this.pending = input.takeKept();
      this.takeMember(key, json);
      this.pending = '';
    }
    this.pending = input.takeKept();
    this.close();
    this.pending = '';
  }

  private takeMember(key: string, json: string): void {
    const { schema, sent, ownKeys, pending } = this;
    if (this.reader.isCut) {
      throw new InvalidOutputError('The JSON is cut off.');
    }
    if (ownKeys.has(key)) {
      throw new InvalidOutputError(`The member ${quotedName(key)} occurs twice.`);
    }
    ownKeys.add(key);
    // A member that an earlier answer has brought already.
    if (sent.has(key)) {
      return;
    }
    const coerced = schema.coerceMember(key, json);
    const value: unknown = JSON.parse(coerced.json);
    const problem = schema.memberProblem(key, value);
    if (problem !== undefined) {
      throw new InvalidOutputError(problem);
    }
    const opening = sent.size === 0 ? '{' : ',';
    const isAsWritten = coerced.repairs.length === 0 && isSoundMember(pending, opening);
    sent.set(key, value);
    this.write(isAsWritten ? pending : `${opening}${JSON.stringify(key)}:${coerced.json}`);
  }

  private close(): void {
    const { sent, pending } = this;
    const problem = this.schema.missingProblem(Object.fromEntries(sent));
    if (problem !== undefined) {
      throw new InvalidOutputError(problem);
    }
    const closing = sent.size === 0 ? '{}' : '}';
    this.write(pending.replaceAll(/\s/g, '') === closing ? pending : closing);
  }

  private *readWhole(): Parsing<void> {
    let json = '';
    yield* this.reader.value((piece) => {
      json += piece;
      this.hasContent ||= !'{[,'.includes(piece);
    });
    this.pending = this.input.takeKept();
    if (this.reader.isCut) {
      throw new InvalidOutputError('The JSON is cut off.');
    }
    const coerced = this.schema.coerce(json);
    const problem = this.schema.problem(JSON.parse(coerced.json));
    if (problem !== undefined) {
      throw new InvalidOutputError(problem);
    }
    this.write(coerced.repairs.length === 0 && isSound(this.pending) ? this.pending : coerced.json);
    this.pending = '';
  }
}

/** Whether the text of one member, with what stands before it, can be sent as it is. */
function isSoundMember(text: string, opening: '{' | ','): boolean {
  return text.trimStart().startsWith(opening) && isSound(opening === '{' ? `${text}}` : `{"":0${text}}`);
}

function isSound(text: string): boolean {
  return parsedJson(text) !== undefined;
}
