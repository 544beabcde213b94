import { areArguments } from '../calls/arguments-start.js';
import { type CallMode } from '../calls/call-mode.js';
import { type CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { isQuote } from '../json/json-quotes.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { ARGUMENTS_WORDS } from '../text/elements.js';
import { type Parsing } from '../text/input.js';
import {
  asNoCall,
  cutOffEarly,
  malformed,
  MalformedCallError,
  NotACallError,
  UnknownToolError,
} from '../text/parse-errors.js';
import { peekText, readRun } from '../text/scan.js';
import { readLateArguments } from './late-arguments.js';
import { type ParseContext } from './parse-context.js';

type MemberRole = 'name' | 'arguments' | 'calls' | 'meta' | 'message' | 'remark';

/** The names under which models write the parts of a call. */
const KEYS_BY_ROLE: Readonly<Record<MemberRole, readonly string[]>> = {
  name: ['name', 'tool', 'tool_name', 'function', 'function_name', 'recipient_name', 'action'],
  arguments: [...ARGUMENTS_WORDS, 'action_input'],
  /** Members that hold calls: `{"tool_calls": [{…}]}`. */
  calls: ['tool_calls', 'tool_call', 'function_call', 'calls', 'call', 'tool_uses', 'tool_use'],
  /** Members without a meaning for the call. */
  meta: ['id', 'type', 'index', 'call_id', 'tool_call_id', 'tool_use_id'],
  /** Members of a message, which stand beside its calls; in a flat call they are arguments. */
  message: ['role', 'content', 'refusal', 'reasoning_content'],
  /** What models say of their call beside it; in a flat call these are arguments, too. */
  remark: ['thought', 'thoughts', 'reasoning', 'reason', 'explanation', 'rationale', 'status'],
};

const NAME = /[\w.-]*/y;

const MEMBER_ROLES: ReadonlyMap<string, MemberRole> = new Map(
  (Object.keys(KEYS_BY_ROLE) as MemberRole[]).flatMap((role) =>
    KEYS_BY_ROLE[role].map((key) => [key, role] as const),
  ),
);

/**
 * Reads one call as a JSON object: `{"name": …, "arguments": {…}}`, with other names for these members, in any order,
 * and the arguments as an object or as a string of JSON. Arguments behind the name are streamed.
 */
export class JsonObjectCall {
  private writer: CallWriter | undefined;
  private arguments: JsonArgumentsReader | undefined;
  private hasArguments = false;
  /** The JSON of arguments in front of the name. */
  private early: string | undefined;
  /** Members of no known role: they are the arguments if there is no member for those. */
  private readonly extras = new Map<string, string>();
  /** Whether the object holds calls instead of being one. */
  private isContainer = false;
  private readonly repairs = new Set<string>();
  private readonly repair = (name: string): void => {
    this.repairs.add(name);
  };

  /**
   * @param readNested reads the calls in a member of the object
   * @param isListed whether the object is an item of a list
   */
  constructor(
    private readonly context: ParseContext,
    private readonly mode: CallMode,
    private readonly readNested: () => Parsing<void>,
    private readonly isListed: boolean,
  ) {}

  /** Reads from the opening brace, or from the first key where that is missing, to the closing one. */
  *read(): Parsing<void> {
    const reader = new LenientJsonReader(this.context.input, this.repair, this.isListed);
    try {
      if ((yield* reader.next()) === '{') {
        // `JsonCallList` skips a second closing brace.
        yield* reader.enterDoubled();
      } else {
        reader.enterUnopened();
      }
      yield* this.readMembers(reader);
      yield* this.complete(reader.isCut);
    } catch (error) {
      const isCertain = this.mode === 'declared' || (this.writer !== undefined && this.hasArguments);
      if (isCertain && error instanceof MalformedCallError && error.kind === 'cut') {
        this.writer?.release();
      }
      throw isCertain ? error : asNoCall(error);
    }
  }

  private *readMembers(reader: LenientJsonReader): Parsing<void> {
    for (let key; (key = yield* reader.nextKey()) !== undefined;) {
      const role = this.roleOf(key);
      if (role === 'name' && !this.writer) {
        yield* this.readName(key, reader);
      } else if (role === 'arguments' && !(this.hasArguments && (this.writer?.hasKeys ?? true))) {
        yield* this.readArguments(key, reader);
      } else if (role === 'calls' && !this.writer && !this.hasArguments) {
        this.isContainer = true;
        yield* this.readNested();
      } else if (role === undefined && (yield* this.isNamedByKey(key, reader))) {
        this.openCall(key, 'name');
        yield* this.readArguments('arguments', reader);
      } else {
        yield* this.readExtra(key, role, reader);
      }
    }
  }

  /** The role of a member, whose name may be in camel case: `toolName`. */
  private roleOf(key: string): MemberRole | undefined {
    const role = MEMBER_ROLES.get(key);
    return role ?? (this.writer?.tool.declares(key) ? undefined : MEMBER_ROLES.get(inSnakeCase(key)));
  }

  /** Reads the name, or an object that holds name and arguments: `{"function": {"name": …, "arguments": …}}`. */
  private *readName(key: string, reader: LenientJsonReader): Parsing<void> {
    const char = yield* reader.next();
    if (char === '{') {
      reader.enter();
      yield* this.readMembers(reader);
      return;
    }
    if (isQuote(char)) {
      this.openCall(yield* reader.name(), key);
      return;
    }
    const word = yield* readRun(this.context.input, NAME);
    if (!this.context.tools.offers(word)) {
      throw reader.unexpected(char, 'the name of a tool');
    }
    // The second quote may be there all the same.
    const hasQuote = isQuote(yield* peekText(this.context.input, 1));
    this.context.input.at += hasQuote ? 1 : 0;
    this.openCall(word, key);
    this.repair('unquoted_name');
  }

  /** Whether the key itself names a tool whose arguments follow, `{"read_file": {…}}`, where only a call can stand. */
  private *isNamedByKey(key: string, reader: LenientJsonReader): Parsing<boolean> {
    const mayBe = this.mode === 'declared' && !this.writer && !this.hasArguments && this.extras.size === 0;
    return mayBe && this.context.tools.offers(key) && (yield* reader.next()) === '{';
  }

  private openCall(name: string, key: string): void {
    const tool = this.context.tools.resolve(name);
    if (!tool) {
      throw new UnknownToolError(name);
    }
    if (name !== tool.name) {
      this.repair('name');
    }
    if (key !== 'name') {
      this.repair('alias_key');
    }
    this.writer = this.context.calls.open(tool, this.mode);
    this.arguments = new JsonArgumentsReader(this.writer, this.repair, this.mode);
  }

  private *readArguments(key: string, reader: LenientJsonReader): Parsing<void> {
    this.hasArguments = true;
    if (key !== 'arguments') {
      this.repair('alias_key');
    }
    if (this.arguments) {
      this.context.input.uncap();
      yield* this.arguments.read(reader);
    } else {
      this.early = yield* reader.json();
    }
  }

  private *readExtra(key: string, role: MemberRole | undefined, reader: LenientJsonReader): Parsing<void> {
    if (role === undefined && this.mode === 'guessed' && this.isOpen && !this.isLate(key)) {
      throw new NotACallError();
    }
    const json = yield* reader.json();
    if ((role === undefined || role === 'message' || role === 'remark') && !this.extras.has(key)) {
      this.extras.set(key, json);
    }
  }

  /** Whether the object may still be no call. */
  private get isOpen(): boolean {
    return !this.hasArguments || (this.writer?.isHeld ?? true);
  }

  private *complete(isCut: boolean): Parsing<void> {
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
    this.writeLate(args);
    if (!isCut) {
      yield* readLateArguments(this.context, writer, this.repair);
    }
    if (isCut && (writer.lacksRequired || !this.hasArguments)) {
      throw cutOffEarly();
    }
    writer.addRepairs(this.repairs);
    writer.end();
    this.context.calls.close();
  }

  /** Writes the members beside the name as arguments if the tool declares one of them, or the one that holds such. */
  private writeExtras(writer: CallWriter, args: JsonArgumentsReader): void {
    if (this.mode === 'guessed') {
      throw new NotACallError();
    }
    const { tool } = writer;
    if ([...this.extras.keys()].some((key) => tool.declares(key))) {
      this.repair('flat_arguments');
      this.extras.forEach((json, key) => args.writeArgument(key, json));
      return;
    }
    const [held, ...others] = [...this.extras.values()].filter((json) => areArguments(json, tool));
    if (held !== undefined && others.length === 0) {
      this.repair('alias_key');
      args.readWhole(held);
    }
  }

  /** Whether a member is an argument behind those that were closed too early: one that the tool declares, not given yet. */
  private isLate(key: string): boolean {
    const { hasArguments, writer } = this;
    return hasArguments && writer !== undefined && writer.tool.declares(key) && !writer.hasKey(key);
  }

  /** Writes such members. */
  private writeLate(args: JsonArgumentsReader): void {
    for (const [key, json] of this.extras) {
      if (this.isLate(key)) {
        this.repair('flat_arguments');
        args.writeArgument(key, json);
      }
    }
  }
}

function inSnakeCase(key: string): string {
  return key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
