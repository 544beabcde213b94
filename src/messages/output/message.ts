import { type Answer } from '../../chat/completion/answer.js';
import { carryText } from '../../chat/dto/carried-text.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';

/** Fields common to all events of one answer. */
export interface MessageIdentity {
  /** `msg_` with the digits of the request's id. */
  readonly id: string;
  readonly model: string;
}

export interface MessageOptions {
  /** Whether the caller sees that the model reasons, but not what. */
  readonly omitsThinking: boolean;
}

/** `usage` on the wire, in tokens. What a cache held does not count as input. */
export interface MessageUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly thinking_tokens: number };
}

type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal';

const STOP_REASONS: Readonly<Record<FinishReason, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  // The format's own word for an answer that a classifier of the provider stopped.
  content_filter: 'refusal',
};

/**
 * Signature of a thinking block whose text is shown. Clients give blocks back only with one; here nothing depends on it,
 * and it is not looked at when it comes back.
 */
const SIGNATURE = 'Z2F0ZXdheQ==';

/** Signature of the block with a thought; one whose text is not shown carries it. */
export function signatureOf(thought: string, { omitsThinking }: MessageOptions): string {
  return omitsThinking ? carryText(thought) : SIGNATURE;
}

/** Usage of an answer of which nothing is there yet. */
export const NO_USAGE: MessageUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

export function toMessageUsage(usage: TokenUsage): MessageUsage {
  const { promptTokens, cachedTokens, cacheWriteTokens = 0, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
  };
}

/** Why an answer ended, and the stop sequence if that was it. */
export function toStop(
  { stopSequence, refusal }: Answer,
  reason: FinishReason,
): { readonly stop_reason: StopReason; readonly stop_sequence: string | null } {
  if (stopSequence !== undefined) {
    return { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  }
  return { stop_reason: refusal === '' ? STOP_REASONS[reason] : 'refusal', stop_sequence: null };
}
