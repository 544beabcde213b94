import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type CustomToolCall, type ToolCall } from './chat-message.js';

/** `usage` on the wire, in tokens. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens?: number };
}

/** Body of a completion that is not streamed. */
export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
  readonly service_tier: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly refusal: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly (ToolCall | CustomToolCall)[];
    };
    readonly logprobs: null;
    readonly finish_reason: FinishReason;
  }[];
  readonly usage: Usage;
}

/** The fields that all objects of one answer share. */
export interface CompletionIdentity {
  /** `chatcmpl-` with the digits of the request's id. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
}

/** Changes when answers to equal input may change: with a release, because each has one configuration. */
export const SYSTEM_FINGERPRINT = 'fp_gateway_1';
export const SERVICE_TIER = 'default';

export function toUsage(usage: TokenUsage): Usage {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    prompt_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: usage.cacheWriteTokens },
  };
}
