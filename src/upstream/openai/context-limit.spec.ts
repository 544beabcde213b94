import { describe, expect, it } from '@jest/globals';
import { readContextLimit } from './context-limit.js';

describe('readContextLimit', () => {
  // The words of widespread servers.
  it.each<[text: string, maxTokens: number, promptTokens: number | undefined]>([
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9,000 tokens.",
      8192,
      9000,
    ],
    [
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4744 in the messages, 256 in the completion).",
      4096,
      4744,
    ],
    [
      "'max_tokens' is too large: 65536. This model's maximum context length is 32768 tokens and your request has 20 input tokens.",
      32_768,
      20,
    ],
    ['request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4096, 5000],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000, 210_000],
    [
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32_768,
      40_000,
    ],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1_048_576,
      1_200_000,
    ],
    ['the model is loaded with context length of only 4096 tokens', 4096, undefined],
    [
      '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
      4096,
      5000,
    ],
    ['exceeds the maximum context window of 1,048,576', 1_048_576, undefined],
  ])('reads %s', (text, maxTokens, promptTokens) => {
    expect(readContextLimit(text)).toEqual(
      promptTokens === undefined ? { maxTokens } : { maxTokens, promptTokens },
    );
  });

  it.each([
    'too long',
    'context_length_exceeded',
    "This model's maximum context length is exceeded.",
    'maximum context length is 12 tokens',
    'maximum context length is 999999999999 tokens',
  ])('finds none in %s', (text) => {
    expect(readContextLimit(text)).toBeUndefined();
  });
});
