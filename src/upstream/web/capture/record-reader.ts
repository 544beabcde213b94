import { AppendDelta, SnapshotDelta, type TextDelta } from '../../decoding/snapshot-delta.js';
import { tokenCount } from '../../token-count.js';
import { type FinishReason, type TokenUsage, type UpstreamEvent } from '../../upstream-driver.js';
import { type AnswerRules, type NetworkRules } from '../recipe/capture-rules.js';
import { compileConditions, type Predicate } from '../recipe/condition.js';
import { compileJsonPath, type JsonPath } from '../recipe/json-path.js';

/** Meaning of one record by the recipe's rules. */
export interface RecordMeaning {
  readonly events: readonly UpstreamEvent[];
  readonly isDone: boolean;
  /** The record reports an error. */
  readonly isError: boolean;
}

interface PieceReader {
  readonly type: 'text' | 'reasoning';
  readonly read: JsonPath;
  readonly fits: Predicate;
  readonly event: string | undefined;
  readonly delta: TextDelta;
}

const NOTHING: RecordMeaning = { events: [], isDone: false, isError: false };

/** Reads the records of one answer by the rules of a recipe. */
export class RecordReader {
  private readonly pieces: readonly PieceReader[];
  private readonly isDoneData: ReadonlySet<string>;
  private readonly doneRules: readonly { event?: string; fits: Predicate }[];
  private readonly errorRules: readonly { event?: string; fits: Predicate }[];
  private readonly conversation: JsonPath | undefined;
  private readonly sequence: JsonPath | undefined;
  private readonly finish: { read: JsonPath; length: readonly unknown[] } | undefined;
  private readonly usage: ((record: unknown) => TokenUsage | undefined) | undefined;
  private conversationId: unknown;
  private lastSequence = -Infinity;
  private lastUsage: TokenUsage | undefined;
  private reason: FinishReason = 'stop';

  /** @param conversationId id that the outgoing request carried, if the recipe names one */
  constructor(
    private readonly rules: Pick<NetworkRules, 'format' | 'delivery' | 'answer'>,
    conversationId?: unknown,
  ) {
    // A new conversation has no id in its request; the first record then names it.
    this.conversationId = conversationId ?? undefined;
    const { answer } = rules;
    this.pieces = [...this.pieceReaders('text'), ...this.pieceReaders('reasoning')];
    this.isDoneData = new Set(answer.done.flatMap(({ data }) => data ?? []));
    this.doneRules = answer.done
      .filter(({ data }) => data === undefined)
      .map(({ event, when }) => ({ event, fits: compileConditions(when) }));
    this.errorRules = answer.error.map(({ event, when }) => ({ event, fits: compileConditions(when) }));
    this.conversation = answer.conversation && compileJsonPath(answer.conversation.path);
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

  /** Throws SyntaxError if a record that must be JSON is not. */
  read(data: string, event: string): RecordMeaning {
    if (this.isDoneData.has(data)) {
      return { ...NOTHING, isDone: true };
    }
    const record: unknown = this.rules.format === 'text' ? data : JSON.parse(data);
    if (this.isForeign(record) || this.isRepeated(record)) {
      return NOTHING;
    }
    const matches = (rule: { event?: string; fits: Predicate }): boolean =>
      (rule.event === undefined || rule.event === event) && rule.fits(record);
    if (this.errorRules.some(matches)) {
      return { ...NOTHING, isError: true };
    }
    this.lastUsage = this.usage?.(record) ?? this.lastUsage;
    if (this.finish?.length.includes(this.finish.read(record))) {
      this.reason = 'length';
    }
    return { events: this.readPieces(record, event), isDone: this.doneRules.some(matches), isError: false };
  }

  /** Last events of an answer: the text held back and, for a complete answer, usage and `done`. */
  finishEvents(isComplete: boolean): UpstreamEvent[] {
    const events: UpstreamEvent[] = this.pieces.flatMap(({ type, delta }) => pieceEvent(type, delta.end()));
    if (isComplete) {
      if (this.lastUsage) {
        events.push({ type: 'usage', usage: this.lastUsage });
      }
      events.push({ type: 'done', reason: this.reason });
    }
    return events;
  }

  private readPieces(record: unknown, event: string): UpstreamEvent[] {
    if (this.rules.format === 'text' && this.pieces.length === 0) {
      return pieceEvent('text', record as string);
    }
    return this.pieces.flatMap((piece) => {
      if ((piece.event !== undefined && piece.event !== event) || !piece.fits(record)) {
        return [];
      }
      const text = piece.read(record);
      return typeof text === 'string' ? pieceEvent(piece.type, piece.delta.push(text)) : [];
    });
  }

  private pieceReaders(type: 'text' | 'reasoning'): PieceReader[] {
    const { answer, delivery } = this.rules;
    const delta = delivery === 'snapshot' ? new SnapshotDelta() : new AppendDelta();
    return answer[type === 'text' ? 'content' : 'reasoning'].map(({ path, when, event }) => ({
      type,
      read: compileJsonPath(path),
      fits: compileConditions(when),
      event,
      delta,
    }));
  }

  private isForeign(record: unknown): boolean {
    const id = this.conversation?.(record);
    if (id === undefined) {
      return false;
    }
    this.conversationId ??= id;
    return id !== this.conversationId;
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

function pieceEvent(type: 'text' | 'reasoning', text: string): UpstreamEvent[] {
  return text === '' ? [] : [{ type, text }];
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
