import { tokenCount } from '../../../token-count.js';
import { type FinishReason, type TokenUsage, type UpstreamEvent } from '../../../upstream-driver.js';
import { type AnswerRules, isLasting, type NetworkRules } from '../../recipe/capture-rules.js';
import { compileConditions, type Predicate } from '../../recipe/condition.js';
import { compileJsonPath, type JsonPath } from '../../recipe/json-path.js';
import { pieceEvent, PieceReader } from './piece-reader.js';
import { RecordMemory } from './record-memory.js';
import { compilePrefix, type PlainRecord } from './record-prefix.js';

/** Meaning of one record by the recipe's rules. */
export interface RecordMeaning {
  readonly events: readonly UpstreamEvent[];
  readonly isDone: boolean;
  /** The record reports an error. */
  readonly isError: boolean;
  /** The record is neither unreadable nor of another conversation. */
  readonly isOwn: boolean;
  /** A rule of the recipe had a use for it. */
  readonly isUsed: boolean;
}

/** The part of the capture rules that reads records. */
export type ReadingRules = Pick<NetworkRules, 'format' | 'delivery' | 'answer' | 'prefix'> & {
  /** Whether records that are not JSON are skipped: those of connections that carry other things, too. */
  readonly skipsUnreadable: boolean;
};

/** The rules by which a capture reads records. */
export function readingRules(rules: NetworkRules): ReadingRules {
  const { format, delivery, answer, prefix } = rules;
  return { format, delivery, answer, prefix, skipsUnreadable: isLasting(rules) };
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'sse-text']);
/** How an object, a list and a text of JSON begin. */
const JSON_START = /^\s*[{["]/;
/** Nothing, or what some sites put before JSON lest it be run as a script. */
const NO_DATA = /^(?:\s*|\)\]\}',?)$/;

const NOTHING: RecordMeaning = { events: [], isDone: false, isError: false, isOwn: false, isUsed: false };
const END: RecordMeaning = { ...NOTHING, isOwn: true, isUsed: true };

/** Reads the records of one answer by the rules of a recipe. */
export class RecordReader {
  private readonly memory: RecordMemory;
  private readonly pieces: PieceReader;
  private readonly plain: ReturnType<typeof compilePrefix>;
  private readonly isDoneData: ReadonlySet<string>;
  private readonly doneRules: readonly { event?: string; fits: Predicate }[];
  private readonly errorRules: readonly { event?: string; fits: Predicate }[];
  private readonly conversation: JsonPath | undefined;
  private readonly sequence: JsonPath | undefined;
  private readonly finish: { read: JsonPath; length: readonly unknown[] } | undefined;
  private readonly usage: ((record: unknown) => TokenUsage | undefined) | undefined;
  private namedId: string | undefined;
  private lastSequence = -Infinity;
  private lastUsage: TokenUsage | undefined;
  private reason: FinishReason = 'stop';

  /** @param conversationId id of the answer's conversation; while it is undefined, the first record names it */
  constructor(
    private readonly rules: ReadingRules,
    private readonly conversationId: () => string | undefined = () => undefined,
  ) {
    const { answer, delivery, prefix } = rules;
    this.memory = new RecordMemory(answer.bind);
    const { recall } = this.memory;
    this.pieces = new PieceReader(answer, delivery, recall);
    this.plain = prefix === undefined ? (data, event) => ({ data, event }) : compilePrefix(prefix);
    this.isDoneData = new Set(answer.done.flatMap(({ data }) => data ?? []));
    this.doneRules = answer.done
      .filter(({ data }) => data === undefined)
      .map(({ event, when }) => ({ event, fits: compileConditions(when, recall) }));
    this.errorRules = answer.error.map(({ event, when }) => ({
      event,
      fits: compileConditions(when, recall),
    }));
    const idPath = answer.conversation?.path;
    this.conversation = idPath === undefined ? undefined : compileJsonPath(idPath);
    this.sequence = answer.sequence === undefined ? undefined : compileJsonPath(answer.sequence);
    this.finish = answer.finishReason && {
      read: compileJsonPath(answer.finishReason.path),
      length: answer.finishReason.length,
    };
    this.usage = answer.usage && usageReader(answer.usage);
  }

  /** Whether the recipe says how a complete answer ends. */
  get hasDoneRule(): boolean {
    return this.rules.answer.done.length > 0;
  }

  /** Throws SyntaxError if a record that must be JSON is not, and UnavailableError if it changes what was passed on. */
  read(data: string, event: string): RecordMeaning {
    if (this.isDoneData.has(data)) {
      return { ...END, isDone: true };
    }
    const plain = this.plain(data, event);
    const record = plain && this.parse(plain);
    return plain === undefined || record === undefined || this.isForeign(record) || this.isRepeated(record)
      ? NOTHING
      : this.meaningOf(record, plain.event);
  }

  /** Last events of an answer: the text held back and, for a complete answer, usage and `done`. */
  finishEvents(isComplete: boolean): UpstreamEvent[] {
    const events = this.pieces.end();
    if (isComplete) {
      if (this.lastUsage) {
        events.push({ type: 'usage', usage: this.lastUsage });
      }
      events.push({ type: 'done', reason: this.reason });
    }
    return events;
  }

  private meaningOf(record: unknown, event: string): RecordMeaning {
    const matches = (rule: { event?: string; fits: Predicate }): boolean =>
      (rule.event === undefined || rule.event === event) && rule.fits(record);
    const hasBound = this.memory.take(record, event);
    if (this.errorRules.some(matches)) {
      return { ...END, isError: true };
    }
    this.lastUsage = this.usage?.(record) ?? this.lastUsage;
    if (this.finish?.length.includes(this.finish.read(record))) {
      this.reason = 'length';
    }
    const isPlainText = TEXTS.has(this.rules.format) && this.pieces.isEmpty;
    const events = isPlainText ? pieceEvent('text', record as string) : this.pieces.read(record, event);
    const isDone = this.doneRules.some(matches);
    return { events, isDone, isError: false, isOwn: true, isUsed: hasBound || isDone || events.length > 0 };
  }

  /** Undefined if the record is to be skipped. An event whose name says it all need not be JSON. */
  private parse({ data, event }: PlainRecord): unknown {
    if (TEXTS.has(this.rules.format)) {
      return data;
    }
    try {
      return JSON.parse(data) as unknown;
    } catch (error) {
      if (this.rules.skipsUnreadable) {
        return undefined;
      }
      const isNamed = event !== 'message' && !JSON_START.test(data);
      if (this.rules.format !== 'json' && (isNamed || NO_DATA.test(data))) {
        return data;
      }
      throw error;
    }
  }

  private isForeign(record: unknown): boolean {
    const id = idText(this.conversation?.(record));
    if (id === undefined) {
      return false;
    }
    this.namedId ??= this.conversationId() ?? id;
    return id !== this.namedId;
  }

  private isRepeated(record: unknown): boolean {
    const number = this.sequence?.(record);
    if (typeof number !== 'number') {
      return false;
    }
    const isRepeated = number <= this.lastSequence;
    this.lastSequence = Math.max(number, this.lastSequence);
    return isRepeated;
  }
}

/** An id as text, since an address holds a number as its digits; undefined for what is no id. */
export function idText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function usageReader(rules: NonNullable<AnswerRules['usage']>): (record: unknown) => TokenUsage | undefined {
  const fits = compileConditions(rules.when);
  const number = (path: string | undefined): ((record: unknown) => number | undefined) => {
    const read = path === undefined ? () => undefined : compileJsonPath(path);
    return (record) => tokenCount(read(record));
  };
  const prompt = number(rules.promptTokens);
  const completion = number(rules.completionTokens);
  const reasoning = number(rules.reasoningTokens);
  const cached = number(rules.cachedTokens);
  return (record) => {
    const promptTokens = prompt(record);
    const completionTokens = completion(record);
    if (promptTokens === undefined || completionTokens === undefined || !fits(record)) {
      return undefined;
    }
    return {
      promptTokens,
      completionTokens,
      reasoningTokens: reasoning(record) ?? 0,
      cachedTokens: cached(record) ?? 0,
    };
  };
}
