import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type ToolCall } from './chat-message.js';

/** Usage on the wire. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

/** The whole answer on the wire. */
export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
  readonly service_tier: string;
  readonly choices: readonly [
    {
      readonly index: 0;
      readonly message: {
        readonly role: 'assistant';
        readonly content: string | null;
        readonly reasoning_content?: string;
        readonly tool_calls?: readonly ToolCall[];
      };
      readonly logprobs: null;
      readonly finish_reason: FinishReason;
    },
  ];
  readonly usage: Usage;
}

/** What every object of one answer has in common. */
export interface CompletionIdentity {
  /** `chatcmpl-` and a unique part. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
}

/** Changes when answers to equal input may change; the gateway has one configuration of its own per release. */
export const SYSTEM_FINGERPRINT = 'fp_gateway_1';
export const SERVICE_TIER = 'default';

export function toUsage(usage: TokenUsage): Usage {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
  };
}
