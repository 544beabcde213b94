import { type Prompt, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type Answer } from './answer.js';
import { type Tokenizer } from './tokenizer.js';

/** Token counts for upstreams that report none. */
export async function countUsage(
  tokenizer: Tokenizer,
  prompt: Prompt,
  answer: Answer,
  signal: AbortSignal,
): Promise<TokenUsage> {
  const calls = answer.toolCalls.map((call) => call.function.name + call.function.arguments).join('\n');
  const reasoningTokens = await tokenizer.count(answer.reasoning, signal);
  const textTokens = await tokenizer.count(answer.text + calls, signal);
  return {
    promptTokens: await tokenizer.count(prompt.text, signal),
    completionTokens: textTokens + reasoningTokens,
    reasoningTokens,
    cachedTokens: 0,
  };
}
