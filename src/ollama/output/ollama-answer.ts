import { type Answer } from '../../chat/completion/answer.js';
import { type ToolCall } from '../../chat/interfaces/chat-message.js';
import { argumentsObject } from '../../chat/tools/json/arguments-object.js';
import { type Clock } from '../../common/time/clock.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';

const NANOSECONDS_PER_MS = 1_000_000;

/** What the model says, or a piece of it. */
export interface Saying {
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly object[];
}

/** The member or members that hold a saying, by which the answers of the two endpoints differ. */
export type SayingForm = (saying: Saying) => object;

export const asMessage: SayingForm = (saying) => ({ message: { role: 'assistant', ...saying } });
export const asResponse: SayingForm = ({ content, ...others }) => ({ response: content, ...others });

/** One answer in the format of the Ollama API, and its times. */
export class OllamaAnswer {
  private readonly startedAt: number;
  private firstAt: number | undefined;

  constructor(
    private readonly model: string,
    private readonly form: SayingForm,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.monotonic();
  }

  /** A part of it that is not its last. */
  piece(saying: Saying): object {
    return { ...this.head(saying), done: false };
  }

  /** The model has begun to speak. */
  begin(): void {
    this.firstAt ??= this.clock.monotonic();
  }

  /** The end of it, with figures. @param saying default: nothing */
  end(reason: FinishReason, usage: TokenUsage, saying: Saying = { content: '' }): object {
    const now = this.clock.monotonic();
    const firstAt = this.firstAt ?? this.startedAt;
    return {
      ...this.head(saying),
      done: true,
      done_reason: reason === 'length' ? 'length' : 'stop',
      total_duration: nanoseconds(now - this.startedAt),
      load_duration: 0,
      prompt_eval_count: usage.promptTokens,
      prompt_eval_duration: nanoseconds(firstAt - this.startedAt),
      eval_count: usage.completionTokens,
      eval_duration: nanoseconds(now - firstAt),
    };
  }

  /** All of it. */
  readonly whole = (answer: Answer, reason: FinishReason, usage: TokenUsage): object => {
    const { text, refusal, reasoning, toolCalls } = answer;
    return this.end(reason, usage, {
      content: text + refusal,
      ...(reasoning !== '' && { thinking: reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toOllamaCall) }),
    });
  };

  /**
   * The answer to a request without a prompt, by which clients have a model loaded, or with a time of 0 unloaded. Models are
   * the upstream's here, so nothing is done.
   */
  loaded(keepAlive: unknown): object {
    const isUnloaded = keepAlive === 0 || (typeof keepAlive === 'string' && /^0+[a-z]*$/.test(keepAlive));
    return { ...this.head({ content: '' }), done: true, done_reason: isUnloaded ? 'unload' : 'load' };
  }

  private head(saying: Saying): object {
    return {
      model: this.model,
      created_at: new Date(this.clock.now()).toISOString(),
      ...this.form(saying),
    };
  }
}

/** A call in the format, which has arguments as an object. */
export function toOllamaCall({ id, function: { name, arguments: json } }: ToolCall, index: number): object {
  return { id, function: { index, name, arguments: argumentsObject(json) } };
}

/** At least 1, since clients divide by it. */
function nanoseconds(ms: number): number {
  return Math.max(1, Math.round(ms * NANOSECONDS_PER_MS));
}
