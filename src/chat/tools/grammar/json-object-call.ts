import { type AnswerCalls } from '../calls/answer-calls.js';
import { type CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { isQuote } from '../json/json-quotes.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type Input, type Parsing } from '../text/input.js';
import { cutOff, malformed, MalformedCallError, NotACallError, unknownTool } from '../text/parse-errors.js';

/** What a member of a call in JSON is for, by the names that models give it. */
const ROLES: ReadonlyMap<string, 'name' | 'arguments' | 'calls' | 'meta'> = new Map([
  ...(['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action'] as const).map(
    (key) => [key, 'name'] as const,
  ),
  ...(
    ['arguments', 'parameters', 'args', 'input', 'params', 'kwargs', 'tool_input', 'action_input'] as const
  ).map((key) => [key, 'arguments'] as const),
  ...(['tool_calls', 'tool_call', 'function_call', 'calls'] as const).map((key) => [key, 'calls'] as const),
  ...(['id', 'type', 'index', 'call_id', 'tool_call_id'] as const).map((key) => [key, 'meta'] as const),
]);

export interface JsonObjectCallOptions {
  readonly tools: OfferedTools;
  readonly calls: AnswerCalls;
  /** No markup says that this is a call: only what has the form of one counts. */
  readonly isForeign: boolean;
  /** Reads the calls that stand in a member of the object. */
  readonly readCalls: () => Parsing<void>;
}

/**
 * Reads one call as a JSON object: `{"name":…,"arguments":{…}}`, by whatever names, in whatever order, the arguments
 * as an object or as its text. The arguments stream if the name comes first.
 */
export class JsonObjectCall {
  private writer: CallWriter | undefined;
  private arguments: JsonArgumentsReader | undefined;
  private hasArguments = false;
  /** Arguments that came before the name. */
  private early: string | undefined;
  /** Members that mean nothing: arguments, where there are no others. */
  private readonly extras = new Map<string, string>();
  private isContainer = false;
  private readonly repairs = new Set<string>();
  private readonly repair = (name: string): void => {
    this.repairs.add(name);
  };

  constructor(
    private readonly input: Input,
    private readonly options: JsonObjectCallOptions,
  ) {}

  /** From the opening brace to the closing one. */
  *read(): Parsing<void> {
    const reader = new LenientJsonReader(this.input, this.repair);
    try {
      yield* reader.next();
      reader.enter();
      yield* this.skipSecondBrace(reader);
      yield* this.members(reader);
      this.complete(reader.isCut);
    } catch (error) {
      const isSure = !this.options.isForeign || (this.writer !== undefined && this.hasArguments);
      throw error instanceof MalformedCallError && !isSure ? new NotACallError(error.message) : error;
    }
  }

  /** Models that were shown templates double the outermost braces; who reads several calls skips the second closing one. */
  private *skipSecondBrace(reader: LenientJsonReader): Parsing<void> {
    if ((yield* reader.next()) === '{') {
      this.repair('double_braces');
      this.input.at++;
    }
  }

  private *members(reader: LenientJsonReader): Parsing<void> {
    for (let key; (key = yield* reader.nextKey()) !== undefined;) {
      const role = ROLES.get(key);
      if (role === 'name' && !this.writer) {
        yield* this.readName(key, reader);
      } else if (role === 'arguments' && !this.hasArguments) {
        yield* this.readArguments(key, reader);
      } else if (role === 'calls' && !this.writer && !this.hasArguments) {
        this.isContainer = true;
        yield* this.options.readCalls();
      } else {
        yield* this.readExtra(key, role === undefined, reader);
      }
    }
  }

  /** The name, or an object that holds name and arguments. */
  private *readName(key: string, reader: LenientJsonReader): Parsing<void> {
    const char = yield* reader.next();
    if (char === '{') {
      reader.enter();
      yield* this.members(reader);
      return;
    }
    if (!isQuote(char)) {
      throw reader.unexpected(char, 'the name of a tool');
    }
    const name = yield* reader.word();
    const tool = this.options.tools.resolve(name);
    if (!tool) {
      throw unknownTool(name);
    }
    if (name !== tool.name) {
      this.repair('name');
    }
    if (key !== 'name') {
      this.repair('alias_key');
    }
    this.writer = this.options.calls.open(tool);
    this.arguments = new JsonArgumentsReader(this.writer, this.repair, this.options.isForeign);
  }

  private *readArguments(key: string, reader: LenientJsonReader): Parsing<void> {
    this.hasArguments = true;
    if (key !== 'arguments') {
      this.repair('alias_key');
    }
    if (this.arguments) {
      yield* this.arguments.read(reader);
    } else {
      let json = '';
      yield* reader.value((piece) => (json += piece));
      this.early = json;
    }
  }

  private *readExtra(key: string, isUnknown: boolean, reader: LenientJsonReader): Parsing<void> {
    if (isUnknown && this.options.isForeign && !this.hasArguments) {
      throw new NotACallError();
    }
    let json = '';
    yield* reader.value((piece) => (json += piece));
    if (isUnknown && !this.extras.has(key)) {
      this.extras.set(key, json);
    }
  }

  private complete(isCut: boolean): void {
    const { writer, arguments: args } = this;
    if (!writer || !args) {
      if (this.isContainer) {
        return;
      }
      throw malformed('The tool call names no tool.');
    }
    if (this.early !== undefined) {
      args.readWhole(this.early);
    } else if (!this.hasArguments) {
      this.writeExtras(writer, args);
    }
    if (isCut && (writer.isLacking || !this.hasArguments)) {
      throw cutOff('before all of its arguments are given');
    }
    writer.addRepairs(this.repairs);
    writer.end();
    this.options.calls.close();
  }

  /** A call without a member for its arguments: they may stand beside the name. */
  private writeExtras(writer: CallWriter, args: JsonArgumentsReader): void {
    if (this.options.isForeign) {
      throw new NotACallError();
    }
    if ([...this.extras.keys()].some((key) => writer.tool.declares(key))) {
      this.repair('flat_arguments');
      this.extras.forEach((json, key) => args.write(key, json));
    }
  }
}
