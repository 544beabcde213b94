import { type TokenUsage } from '../../upstream/upstream-driver.js';
import { type Answer } from './answer.js';
import { type Tokenizer } from './tokens/tokenizer.js';

/**
 * Token counts for upstreams that report none.
 * @param input the model's input as one text
 */
export async function countUsage(
  tokenizer: Tokenizer,
  input: string,
  answer: Answer,
  signal?: AbortSignal,
): Promise<TokenUsage> {
  const calls = answer.toolCalls.map((call) => call.function.name + call.function.arguments).join('\n');
  const reasoningTokens = await tokenizer.count(answer.reasoning, signal);
  const textTokens = await tokenizer.count(answer.text + answer.refusal + calls, signal);
  return {
    promptTokens: await tokenizer.count(input, signal),
    completionTokens: textTokens + reasoningTokens,
    reasoningTokens,
    cachedTokens: 0,
  };
}
