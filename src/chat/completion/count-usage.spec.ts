import { describe, expect, it } from '@jest/globals';
import { Answer } from './answer.js';
import { countUsage, CUT_OFF_TOKENS } from './count-usage.js';
import { Tokenizer } from './tokens/tokenizer.js';

const input = ' one two three four';
const { signal } = new AbortController();

function answerOf(text: string, reasoning = ''): Answer {
  const answer = new Answer();
  answer.addText(text);
  answer.addReasoning(reasoning);
  return answer;
}

describe('countUsage', () => {
  it('counts prompt, text and reasoning', async () => {
    expect(await countUsage(new Tokenizer(), input, answerOf(' five six', ' seven'), { signal })).toEqual({
      promptTokens: 4,
      completionTokens: 3,
      reasoningTokens: 1,
      cachedTokens: 0,
    });
  });

  it('counts the names and arguments of tool calls', async () => {
    const answer = answerOf('');
    answer.addToolCall({ index: 0, id: 'call_1', name: 'read', arguments: '{}' });
    answer.addToolCall({ index: 1, id: 'call_2', name: 'grep', arguments: '' });
    const { completionTokens } = await countUsage(new Tokenizer(), input, answer, { signal });
    expect(completionTokens).toBe(new Tokenizer().countNow('read{}\ngrep'));
  });

  it('counts nothing for an empty answer', async () => {
    expect(await countUsage(new Tokenizer(), '', answerOf(''), { signal })).toEqual({
      promptTokens: 0,
      completionTokens: 0,
      reasoningTokens: 0,
      cachedTokens: 0,
    });
  });

  it('estimates what is beyond a number of tokens', async () => {
    // Digits take more tokens than words, which is not known of what is not counted.
    const long = ' word'.repeat(20_000) + '7'.repeat(100_000);
    const usage = await countUsage(new Tokenizer(), long, answerOf(long), { exactUpTo: CUT_OFF_TOKENS });
    expect(usage).toEqual({
      promptTokens: 40_000,
      completionTokens: 40_000,
      reasoningTokens: 0,
      cachedTokens: 0,
    });
  });
});
