import { type Piece } from './sandbox-answer.js';
import { type Script } from './sandbox-script.js';

/** An event of an answer in its wire form. `seq` counts up from 0; a repeated event keeps its number. */
export type ChatEvent = { readonly conversation_id: string; readonly seq: number } & (
  | { readonly type: 'start' }
  /** With `snapshot`, `text` is the whole text so far, else only the new part. */
  | { readonly type: 'reasoning' | 'text'; readonly text: string; readonly snapshot?: true }
  | {
      readonly type: 'usage';
      readonly prompt_tokens: number;
      readonly completion_tokens: number;
      readonly reasoning_tokens: number;
    }
  | { readonly type: 'done'; readonly reason: 'stop' | 'length' }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly retry_after_seconds?: number;
    }
);

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type EventBody = DistributiveOmit<ChatEvent, 'conversation_id' | 'seq'>;

const CHARACTERS_PER_TOKEN = 4;

/** Turns the pieces of one answer into events, with the oddities that its script asks for. */
export class EventWriter {
  private seq = 0;
  private readonly said = { reasoning: '', text: '' };
  private readonly lengths = { reasoning: 0, text: 0 };

  constructor(
    private readonly script: Script,
    private readonly conversationId: string,
    private readonly promptLength: number,
  ) {}

  start(): ChatEvent[] {
    return this.write({ type: 'start' });
  }

  piece({ type, text }: Piece): ChatEvent[] {
    this.lengths[type] += text.length;
    if (!this.script.cumulative) {
      return this.write({ type, text });
    }
    this.said[type] += text;
    return this.write({ type, text: this.said[type], snapshot: true });
  }

  /** Last events of an answer that ends in good order. */
  finish(): ChatEvent[] {
    const usage = this.script.usage ? this.write(this.usage()) : [];
    const done = this.script.partial ? [] : this.done(this.script.length ? 'length' : 'stop');
    return [...usage, ...done];
  }

  done(reason: 'stop' | 'length'): ChatEvent[] {
    return this.write({ type: 'done', reason });
  }

  rateLimit(resetSeconds: number | undefined): ChatEvent[] {
    return this.write({
      type: 'error',
      code: 'rate_limited',
      message: 'You have reached the message limit. Please try again later.',
      ...(resetSeconds !== undefined && { retry_after_seconds: resetSeconds }),
    });
  }

  private usage(): EventBody {
    return {
      type: 'usage',
      prompt_tokens: tokens(this.promptLength),
      completion_tokens: tokens(this.lengths.reasoning + this.lengths.text),
      reasoning_tokens: tokens(this.lengths.reasoning),
    };
  }

  private write(body: EventBody): ChatEvent[] {
    const event = { ...body, conversation_id: this.conversationId, seq: this.seq++ } as ChatEvent;
    const events = this.script.duplicate ? [event, event] : [event];
    return this.script.foreign && (body.type === 'text' || body.type === 'start')
      ? [...events, this.foreign(event.seq)]
      : events;
  }

  /** An event of another conversation, as on sites that multiplex conversations over one stream. */
  private foreign(seq: number): ChatEvent {
    return {
      type: 'text',
      text: 'This belongs to another conversation. ',
      conversation_id: `other-${this.conversationId}`,
      seq,
    };
  }
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
