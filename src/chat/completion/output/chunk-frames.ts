import { toErrorEnvelope } from '../../../common/errors/error-envelope.js';
import { type GatewayError } from '../../../common/errors/gateway.errors.js';
import { type FinishReason, type TokenUsage, type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import {
  type CompletionIdentity,
  SERVICE_TIER,
  SYSTEM_FINGERPRINT,
  toUsage,
} from '../../interfaces/chat-completion.js';
import { type Answer } from '../answer.js';
import { type StreamFrames } from './stream-frames.js';

export interface ChunkFramesOptions {
  /** Whether the final chunk carries `usage`. */
  readonly includeUsage: boolean;
}

/**
 * Chat completion chunks. Their common members are serialised once, so that a piece costs one `JSON.stringify` of its
 * text (measured: half the CPU of a new chunk object).
 */
export class ChunkFrames implements StreamFrames {
  readonly heartbeat = ': heartbeat\n\n';
  private readonly head: string;
  private readonly textHead: string;
  private readonly reasoningHead: string;
  private readonly tail = '},"logprobs":null,"finish_reason":null}]}\n\n';

  constructor(
    private readonly identity: CompletionIdentity,
    private readonly options: ChunkFramesOptions,
  ) {
    this.head = `data: ${this.envelope({})},"choices":[{"index":0,"delta":{`;
    this.textHead = `${this.head}"content":`;
    this.reasoningHead = `${this.head}"reasoning_content":`;
  }

  begin(): string {
    const envelope = this.envelope({ system_fingerprint: SYSTEM_FINGERPRINT, service_tier: SERVICE_TIER });
    return `data: ${envelope},"choices":[{"index":0,"delta":{"role":"assistant","content":""${this.tail}`;
  }

  text(text: string): string {
    return this.textHead + JSON.stringify(text) + this.tail;
  }

  reasoning(text: string): string {
    return this.reasoningHead + JSON.stringify(text) + this.tail;
  }

  refusal(text: string): string {
    return `${this.head}"refusal":${JSON.stringify(text)}${this.tail}`;
  }

  toolCall({ index, id, name, arguments: json }: ToolCallDelta): string {
    const call = {
      index,
      ...(id === undefined ? {} : { id, type: 'function' }),
      function: { ...(name === undefined ? {} : { name }), arguments: json },
    };
    return `${this.head}"tool_calls":[${JSON.stringify(call)}]${this.tail}`;
  }

  end(_answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    const envelope = this.envelope({ system_fingerprint: SYSTEM_FINGERPRINT, service_tier: SERVICE_TIER });
    const choices = `"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"${reason}"}]`;
    const usageMember = this.options.includeUsage ? `,"usage":${JSON.stringify(toUsage(usage))}` : '';
    return `data: ${envelope},${choices}${usageMember}}\n\ndata: [DONE]\n\n`;
  }

  error(error: GatewayError): string {
    return `data: ${JSON.stringify(toErrorEnvelope(error))}\n\n`;
  }

  /** The members before `choices`, without the closing brace. */
  private envelope(extra: Readonly<Record<string, string>>): string {
    const { id, created, model } = this.identity;
    return JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...extra }).slice(0, -1);
  }
}
