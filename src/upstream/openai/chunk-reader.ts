import { isStructure } from '../../common/text/json-object.js';
import { AppendDelta, SnapshotDelta } from '../decoding/snapshot-delta.js';
import { UnavailableError, type UpstreamError } from '../upstream.errors.js';
import {
  type FinishReason,
  type TokenUsage,
  type ToolCallDelta,
  type UpstreamEvent,
} from '../upstream-driver.js';
import { toFinishReason, toTokenUsage } from './answer-end.js';
import { type ReasoningName } from './request/earlier-reasoning.js';
import { ToolCallReader } from './tool-call-reader.js';

/** The typed error for an error object within an answer. */
export type ErrorReader = (error: unknown) => UpstreamError;

/** Wire fields that are read, of a chunk and of a whole completion; servers may send any value in them. */
interface WireCompletion {
  readonly object?: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

interface WireChoice {
  readonly delta?: WireMessage | null;
  readonly message?: WireMessage | null;
  readonly finish_reason?: unknown;
}

interface WireMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: unknown;
}

/**
 * Reads the objects of one answer, streamed or whole, into upstream events. Collects them in `events`, which the owner
 * empties after each read. Errors are thrown as the classes of `upstream.errors.ts`; events from before stay.
 */
export class ChunkReader {
  events: UpstreamEvent[] = [];
  private isAccepted = false;
  private hasReadChoice = false;
  private readonly text = new AppendDelta();
  private readonly reasoning = new AppendDelta();
  private readonly refusal = new AppendDelta();
  /** For servers that send the whole message so far, as `message` in place of `delta`. */
  private readonly textSnapshots = new SnapshotDelta();
  private readonly reasoningSnapshots = new SnapshotDelta();
  private readonly refusalSnapshots = new SnapshotDelta();
  private readonly toolCalls = new ToolCallReader();
  private usedName: ReasoningName | undefined;
  private usage: TokenUsage | undefined;
  private reason: FinishReason | undefined;
  private isReasonFinal = false;

  constructor(private readonly readError: ErrorReader) {}

  /** Whether a part of an answer was read; usage and notes of the server are none. */
  get hasRead(): boolean {
    return this.hasReadChoice;
  }

  /** Whether a finish reason was read; some servers send one with each piece of the answer. */
  get isFinished(): boolean {
    return this.reason !== undefined;
  }

  /** Whether the finish reason came by itself, so that only the usage can follow. */
  get isFinal(): boolean {
    return this.isReasonFinal;
  }

  /** Name of the member that holds the reasoning; undefined while none was read. */
  get reasoningName(): ReasoningName | undefined {
    return this.usedName;
  }

  /** Emits `accepted`, once. */
  accept(): void {
    if (!this.isAccepted) {
      this.isAccepted = true;
      this.events.push({ type: 'accepted' });
    }
  }

  /** Reads one `chat.completion.chunk`, or a whole `chat.completion`. */
  read(value: unknown): void {
    if (!isStructure(value)) {
      throw new UnavailableError('malformed_event', 'The upstream sent something that is not an answer.');
    }
    const completion: WireCompletion = value;
    if (completion.error || completion.object === 'error') {
      this.fail(completion.error ?? completion);
      return;
    }
    this.accept();
    if (isStructure(completion.usage)) {
      this.usage = toTokenUsage(completion.usage) ?? this.usage;
    }
    const choice = Array.isArray(completion.choices)
      ? (completion.choices[0] as WireChoice | null)
      : undefined;
    if (choice) {
      this.hasReadChoice = true;
      this.readChoice(choice);
    }
  }

  /** Throws the typed error for an error object, unless the answer was whole before it. */
  fail(error: unknown): void {
    if (!this.isFinal) {
      throw this.readError(error);
    }
  }

  /** Ends a complete answer: emits the text held back, the usage, and `done`. */
  complete(): void {
    this.releaseHeld();
    if (this.usage) {
      this.events.push({ type: 'usage', usage: this.usage });
    }
    this.events.push(
      this.reason === undefined
        ? { type: 'done', reason: 'stop', isAssumed: true }
        : { type: 'done', reason: this.reason },
    );
  }

  /** Emits the text held back; all that is left of an answer that was cut off. */
  releaseHeld(): void {
    this.add('reasoning', this.reasoning.end() + this.reasoningSnapshots.end());
    this.add('text', this.text.end() + this.textSnapshots.end());
    this.add('refusal', this.refusal.end() + this.refusalSnapshots.end());
  }

  private readChoice({ delta, message, finish_reason: reason }: WireChoice): void {
    this.usedName ??= reasoningNameOf(delta ?? message ?? {});
    if (delta) {
      this.add('reasoning', this.reasoning.push(reasoningOf(delta)));
      this.add('text', this.text.push(textOf(delta)));
      this.add('refusal', this.refusal.push(refusalOf(delta)));
      this.addToolCalls(delta.tool_calls, (call, at) => this.toolCalls.read(call, at));
    } else if (message) {
      this.add('reasoning', this.reasoningSnapshots.push(reasoningOf(message)));
      this.add('text', this.textSnapshots.push(textOf(message)));
      this.add('refusal', this.refusalSnapshots.push(refusalOf(message)));
      this.addToolCalls(message.tool_calls, (call, at) => this.toolCalls.readSnapshot(call, at));
    }
    if (typeof reason === 'string' && reason !== '' && reason !== 'null') {
      this.reason = toFinishReason(reason);
      this.isReasonFinal = !holdsContent(delta ?? message ?? {});
      this.releaseHeld();
    }
  }

  private add(type: 'text' | 'reasoning' | 'refusal', text: string): void {
    if (text !== '') {
      this.events.push({ type, text });
    }
  }

  private addToolCalls(
    calls: unknown,
    read: (call: unknown, position: number) => ToolCallDelta | undefined,
  ): void {
    if (!Array.isArray(calls)) {
      return;
    }
    for (const [position, call] of calls.entries()) {
      const delta = read(call, position);
      if (delta) {
        this.events.push({ type: 'toolCall', delta });
      }
    }
  }
}

function holdsContent(message: WireMessage): boolean {
  const { tool_calls: calls } = message;
  const hasText = [textOf(message), reasoningOf(message), refusalOf(message)].some((text) => text !== '');
  return hasText || (Array.isArray(calls) && calls.length > 0);
}

function textOf({ content }: WireMessage): string {
  if (typeof content === 'string') {
    return content;
  }
  if (Array.isArray(content)) {
    return content
      .map((part: unknown) => (isStructure(part) && typeof part.text === 'string' ? part.text : ''))
      .join('');
  }
  return '';
}

function refusalOf({ refusal }: WireMessage): string {
  return typeof refusal === 'string' ? refusal : '';
}

/** Reasoning of a message. The field has two names; some servers send both, with one text or one of them empty. */
function reasoningOf({ reasoning_content: reasoningContent, reasoning, content }: WireMessage): string {
  const field = reasoningContent || reasoning;
  if (typeof field === 'string' && field !== '') {
    return field;
  }
  return Array.isArray(content) ? content.map(thinkingOf).join('') : '';
}

/** A server that sends both knows both. */
function reasoningNameOf({
  reasoning_content: reasoningContent,
  reasoning,
}: WireMessage): ReasoningName | undefined {
  if (!reasoningContent && !reasoning) {
    return undefined;
  }
  return reasoningContent === undefined ? 'reasoning' : 'reasoning_content';
}

/** Text of a part `{ type: "thinking", thinking: … }`, as Mistral sends it; '' for other parts. */
function thinkingOf(part: unknown): string {
  return isStructure(part) ? textOf({ content: part.thinking }) : '';
}
