import { type Answer } from '../../chat/completion/answer.js';
import { type StreamFrames } from '../../chat/completion/output/stream-frames.js';
import { toErrorEnvelope } from '../../common/errors/error-envelope.js';
import { type GatewayError, InternalError } from '../../common/errors/gateway.errors.js';
import { HEARTBEAT } from '../../common/http/answer/event-stream.js';
import { type FinishReason, type TokenUsage, type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type ToolOrigin } from '../dto/response-tools.js';
import {
  type ItemStatus,
  type OutputItem,
  type ReasoningForm,
  type ResponseObject,
} from '../interfaces/response-object.js';
import { CallItemWriter } from './call-item-writer.js';
import { CompactionItemWriter } from './compaction-item-writer.js';
import { EventNumbering } from './event-numbering.js';
import { type ItemPlace, type ItemWriter } from './item-writer.js';
import { MessageItemWriter, type MessageKind } from './message-item-writer.js';
import { ReasoningItemWriter } from './reasoning-item-writer.js';
import { endedResponse, failedResponse, type ResponseIdentity, toResponse } from './response-builder.js';

/** An item that text is appended to. */
type TextItemWriter = ReasoningItemWriter | MessageItemWriter | CompactionItemWriter;

export interface ResponseEventsOptions extends ReasoningForm {
  readonly identity: ResponseIdentity;
  readonly origins: ReadonlyMap<string, ToolOrigin>;
  /** Whether the answer is a summary of the conversation, an item of its own kind; false by default. */
  readonly isSummary?: boolean;
  /** Whether no answer is wanted; false by default. */
  readonly isPrewarm?: boolean;
  /** Whether only the response is wanted, and its events need not be written; false by default. */
  readonly isSilent?: boolean;
  /** Told of the response once it has ended, whether well or not. */
  readonly onEnd?: (response: ResponseObject) => void;
}

/**
 * The events of one response, from `response.created` to `response.completed`, `response.incomplete` or
 * `response.failed`. An item ends where the next begins, but for calls: clients run a tool when its item is done, and would
 * run it again if the answer failed after that. So the first call is done at the very end, and the others, whose pieces may
 * come in any order, follow there one by one.
 */
export class ResponseEvents implements StreamFrames {
  readonly heartbeat = (): string => HEARTBEAT;
  private readonly events: EventNumbering;
  private readonly writers: ItemWriter[] = [];
  private readonly ended: OutputItem[] = [];
  /** The newest item while it is open, unless that is a call. */
  private current: TextItemWriter | undefined;
  /** The newest call. */
  private call: { readonly index: number; readonly item: CallItemWriter } | undefined;
  /** Pieces of the calls behind the first. */
  private readonly laterCalls: ToolCallDelta[] = [];
  private isCreated = false;

  private state: ResponseObject;

  constructor(private readonly options: ResponseEventsOptions) {
    this.events = new EventNumbering(options.isSilent);
    this.state = toResponse(options.identity, { status: 'in_progress' });
  }

  /** The response as it was told of last. */
  get response(): ResponseObject {
    return this.state;
  }

  /** The response before its answer has begun; takes the place of `response.created` in `begin`. */
  queued(): string {
    this.isCreated = true;
    const response = (this.state = { ...this.state, status: 'queued' });
    return this.events.ofEach(['response.created', 'response.queued'], { response });
  }

  begin(): string {
    const response = (this.state = { ...this.state, status: 'in_progress' });
    const types = this.isCreated ? ['response.in_progress'] : ['response.created', 'response.in_progress'];
    this.isCreated = true;
    return this.events.ofEach(types, { response });
  }

  reasoning(text: string): string {
    // Clients expect nothing but the summary, and go on from it alone.
    if (this.options.isSummary) {
      return '';
    }
    return this.current instanceof ReasoningItemWriter
      ? this.current.text(text)
      : this.goOnWith(new ReasoningItemWriter(this.nextPlace(), this.options), text);
  }

  text(text: string): string {
    return this.options.isSummary ? this.summary(text) : this.said('output_text', text);
  }

  refusal(text: string): string {
    return this.options.isSummary ? '' : this.said('refusal', text);
  }

  toolCall(delta: ToolCallDelta): string {
    if (this.options.isSummary) {
      return '';
    }
    if (this.call && this.call.index !== delta.index) {
      this.laterCalls.push(delta);
      return '';
    }
    return this.takeCall(delta);
  }

  /** @throws InternalError if a summary was asked for and is not there: the caller must keep its conversation */
  end(answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    if (this.options.isSummary && !isSummary(answer)) {
      throw new InternalError('answer_unusable', 'the model wrote no summary of the conversation.');
    }
    const last = reason === 'stop' && this.lacksText() ? this.text('') : '';
    const later = this.laterCalls.sort((a, b) => a.index - b.index).map((delta) => this.takeCall(delta));
    const items = last + later.join('') + this.endAll(reason);
    const response = endedResponse(this.options.identity, this.ended, reason, usage);
    return items + this.ending(response);
  }

  /** A response without any text has an empty one, unless it was cut off before it, or none was wanted. */
  private lacksText(): boolean {
    return !this.options.isPrewarm && this.writers.every((item) => item instanceof ReasoningItemWriter);
  }

  /**
   * Items that are not done stay so: a client must not run a tool of an answer that failed. Clients take no event before
   * that of the beginning, not even this one. Many take no notice of `response.failed`; their libraries throw an event
   * that has a member `error`, and some read what it says beside that.
   */
  error(error: GatewayError): string {
    const before = this.isCreated ? '' : this.begin();
    const response = failedResponse(this.options.identity, this.outputSoFar(), error);
    const said = { ...response.error, param: null };
    const told = this.events.of('error', {
      ...said,
      error: { type: toErrorEnvelope(error).error.type, ...said },
    });
    return before + told + this.ending(response);
  }

  /** The response was given up by its owner; the format has no event for that. */
  cancelled(): void {
    this.state = { ...this.state, status: 'cancelled', output: this.outputSoFar() };
    this.options.onEnd?.(this.state);
  }

  private summary(text: string): string {
    return this.current instanceof CompactionItemWriter
      ? this.current.text(text)
      : this.goOnWith(new CompactionItemWriter(this.nextPlace()), text);
  }

  private said(kind: MessageKind, text: string): string {
    return this.current instanceof MessageItemWriter && this.current.kind === kind
      ? this.current.text(text)
      : this.goOnWith(new MessageItemWriter(this.nextPlace(), kind), text);
  }

  /** Ends the item that is open, and opens the next one with its first text. */
  private goOnWith(item: TextItemWriter, text: string): string {
    const before = this.endCurrent();
    this.current = item;
    return before + this.open(item) + item.text(text);
  }

  private takeCall({ index, id = '', name = '', arguments: json }: ToolCallDelta): string {
    if (this.call?.index === index) {
      return this.call.item.arguments(json);
    }
    const before = this.endCurrent() + this.endCall();
    const origin = this.options.origins.get(name) ?? { kind: 'function', name };
    const item = new CallItemWriter(this.nextPlace(), id, origin);
    this.call = { index, item };
    return before + this.open(item) + item.arguments(json);
  }

  private ending(response: ResponseObject): string {
    this.state = response;
    const event = this.events.of(`response.${response.status}`, { response });
    this.options.onEnd?.(response);
    return event;
  }

  private outputSoFar(): readonly OutputItem[] {
    return this.writers.map((item, index) => this.ended[index] ?? item.item('incomplete'));
  }

  private nextPlace(): ItemPlace {
    return {
      events: this.events,
      response: this.options.identity.id,
      index: this.writers.length,
    };
  }

  private open(item: ItemWriter): string {
    this.writers.push(item);
    return item.open();
  }

  private endCurrent(): string {
    const isOpen = this.current !== undefined;
    this.current = undefined;
    return isOpen ? this.endItem(this.writers.length - 1, 'completed') : '';
  }

  private endCall(): string {
    return this.call ? this.endItem(this.writers.indexOf(this.call.item), 'completed') : '';
  }

  /** Of an answer that was cut off, what was written last is incomplete. */
  private endAll(reason: FinishReason): string {
    const isCut = reason === 'length' || reason === 'content_filter';
    return this.writers
      .map((_, index) => {
        const status = isCut && index === this.writers.length - 1 ? 'incomplete' : 'completed';
        return this.ended[index] ? '' : this.endItem(index, status);
      })
      .join('');
  }

  private endItem(index: number, status: ItemStatus): string {
    const item = this.writers[index]!;
    this.ended[index] = item.item(status);
    return item.close(status);
  }
}

/** Words beside a refusal or a call only lead up to it. */
function isSummary({ text, refusal, hasToolCalls, hasDroppedCalls }: Answer): boolean {
  return text.trim() !== '' && refusal === '' && !hasToolCalls && !hasDroppedCalls;
}
