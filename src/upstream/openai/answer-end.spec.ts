import { describe, expect, it } from '@jest/globals';
import { toFinishReason, toTokenUsage } from './answer-end.js';

describe('toFinishReason', () => {
  it.each([
    ['stop', 'stop'],
    ['eos', 'stop'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['model_length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
  ])('reads %s as %s', (wire, reason) => {
    expect(toFinishReason(wire)).toBe(reason);
  });

  it.each([
    ...['error', 'abort', 'insufficient_system_resource', 'network_error'],
    'function_call_filter: MALFORMED_FUNCTION_CALL',
  ])('takes %s for a failure', (wire) => {
    expect(() => toFinishReason(wire)).toThrow('The upstream gave up on its answer.');
  });
});

describe('toTokenUsage', () => {
  it.each([
    ['within the completion', { completion_tokens: 105, total_tokens: 115 }],
    ['in the total alone', { completion_tokens: 5, total_tokens: 115 }],
    ['without a total', { completion_tokens: 105 }],
  ])('counts reasoning %s', (_where, counts) => {
    const usage = { prompt_tokens: 10, ...counts, completion_tokens_details: { reasoning_tokens: 100 } };
    expect(toTokenUsage(usage)).toEqual({
      promptTokens: 10,
      completionTokens: 105,
      reasoningTokens: 100,
      cachedTokens: 0,
    });
  });

  it('counts what was read from a cache and written to one', () => {
    const prompt_tokens_details = { cached_tokens: 3, cache_write_tokens: 4 };
    expect(toTokenUsage({ prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details })).toMatchObject({
      cachedTokens: 3,
      cacheWriteTokens: 4,
    });
  });
});
