import { type TokenUsage } from '../../upstream/upstream-driver.js';
import { callText } from '../interfaces/chat-message.js';
import { type Answer } from './answer.js';
import { type Tokenizer } from './tokens/tokenizer.js';

/**
 * Of an answer that was cut off each text is counted so far, in 10 ms, and estimated beyond, where its caller waits for its
 * error meanwhile: many answers are cut off at the same time.
 */
export const CUT_OFF_TOKENS = 10_000;

export interface CountOptions {
  readonly signal?: AbortSignal;
  /** See `Tokenizer.count`. */
  readonly exactUpTo?: number;
  /** Tokens of the input, where they were counted before. */
  readonly promptTokens?: number | undefined;
}

/**
 * Token counts for upstreams that report none.
 * @param input the model's input as one text
 */
export async function countUsage(
  tokenizer: Tokenizer,
  input: string,
  answer: Answer,
  { signal, exactUpTo, promptTokens }: CountOptions,
): Promise<TokenUsage> {
  const count = (text: string): Promise<number> => tokenizer.count(text, signal, exactUpTo);
  const calls = answer.toolCalls.map(callText).join('\n');
  const reasoningTokens = await count(answer.reasoning);
  const textTokens = await count(answer.text + answer.refusal + calls);
  return {
    promptTokens: promptTokens ?? (await count(input)),
    completionTokens: textTokens + reasoningTokens,
    reasoningTokens,
    cachedTokens: 0,
  };
}
