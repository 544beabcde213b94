import { describe, expect, it } from '@jest/globals';
import { ChatAnswer } from '../assets/data/chat/chat-answer.js';

const chunk = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const call = (index, id, name, json) => ({
  tool_calls: [{ index, ...(id && { id }), function: { ...(name && { name }), arguments: json } }],
});

describe('ChatAnswer', () => {
  it('grows by chunks, with its times', () => {
    const answer = new ChatAnswer();
    const chunks = [
      [chunk({ role: 'assistant' }), 10],
      [chunk({ reasoning_content: 'Hm' }), 100],
      [chunk({ content: 'Hel' }), 300],
      [chunk({ content: 'lo' }), 310],
      [chunk(call(0, 'c1', 'f', '')), 320],
      [chunk(call(0, '', '', '{"a"')), 330],
      [chunk(call(1, 'c2', 'g', '{}')), 335],
      [chunk(call(0, '', '', ':1}')), 340],
      [chunk({}, 'tool_calls'), 350],
      [{ choices: [], usage: { prompt_tokens: 3, completion_tokens: 11 } }, 360],
    ];
    chunks.forEach(([one, atMs]) => answer.takeChunk(one, atMs));
    expect(answer.tokensPerSecond).toBeUndefined();
    answer.end(600);
    expect(answer).toMatchObject({
      reasoning: 'Hm',
      text: 'Hello',
      calls: [
        { id: 'c1', name: 'f', arguments: '{"a":1}' },
        { id: 'c2', name: 'g', arguments: '{}' },
      ],
      finishReason: 'tool_calls',
      firstMs: 100,
      firstTextMs: 300,
      totalMs: 600,
      chunks: 10,
      error: undefined,
    });
    expect(answer.tokensPerSecond).toBe(20);
  });

  it('keeps the error of a stream, also if the connection ends with another', () => {
    const answer = new ChatAnswer();
    answer.takeChunk(chunk({ content: 'a' }), 1);
    answer.takeChunk({ error: { message: 'The upstream fell silent.', code: 'upstream_timeout' } }, 2);
    answer.end(3, { message: 'cut', code: 'cut' });
    expect([answer.text, answer.error.code]).toEqual(['a', 'upstream_timeout']);
  });

  it('takes an answer in one piece', () => {
    const answer = new ChatAnswer();
    const message = {
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    answer.takeBody(
      { choices: [{ message, finish_reason: 'tool_calls' }], usage: { completion_tokens: 2 } },
      9,
    );
    expect(answer).toMatchObject({ text: '', calls: [{ id: 'c', name: 'f', arguments: '{}' }], firstMs: 9 });
  });
});
