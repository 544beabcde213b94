import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { withUnpairedAsText } from './unpaired-results.js';

const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});
const found = (id: string, content: ChatMessage['content'] = id): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
const ask: ChatMessage = { role: 'user', content: 'Look.' };
const asText = (text: string): ChatMessage => ({
  role: 'user',
  content: `Result of an earlier tool call:\n\n${text}`,
});

describe('withUnpairedAsText', () => {
  it('keeps a conversation itself where each result has its call before it', () => {
    const messages = [ask, calls('a', 'b'), found('b'), found('a'), ask, found('a')];
    expect(withUnpairedAsText(messages)).toBe(messages);
  });

  it('has the user say a result whose call is missing or comes later', () => {
    expect(withUnpairedAsText([found('a'), ask, found('b'), calls('b'), found('b')])).toEqual([
      asText('a'),
      ask,
      asText('b'),
      calls('b'),
      found('b'),
    ]);
  });

  it('lets nothing come between calls and their results', () => {
    expect(
      withUnpairedAsText([calls('a', 'b'), found('x'), found('a'), found('y'), found('b'), ask]),
    ).toEqual([calls('a', 'b'), found('a'), found('b'), asText('x'), asText('y'), ask]);
  });

  it('keeps the parts of a result', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    expect(withUnpairedAsText([found('a', [image])])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Result of an earlier tool call:' }, image] },
    ]);
  });
});
