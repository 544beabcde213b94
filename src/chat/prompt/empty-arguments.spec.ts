import { expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { withoutEmptyArguments } from './empty-arguments.js';

const ask: ChatMessage = { role: 'user', content: 'Look.' };
const calls = (...all: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: all.map((json, at) => ({
    id: `c${at}`,
    type: 'function',
    function: { name: 'look', arguments: json },
  })),
});

it.each(['{}', '{"path":"a"}', '{"path":', 'null'])('keeps a conversation itself with %j', (json) => {
  const messages = [ask, calls(json)];
  expect(withoutEmptyArguments(messages)).toBe(messages);
});

it.each(['', ' ', '\n'])('makes an object of %j, and keeps the other calls', (json) => {
  const messages = [ask, calls('{"a":1}', json), calls('{"path":')];
  expect(withoutEmptyArguments(messages)).toEqual([ask, calls('{"a":1}', '{}'), calls('{"path":')]);
});

it('ignores calls of other roles, which nobody has checked', () => {
  const messages = [{ ...ask, tool_calls: [{}] } as unknown as ChatMessage];
  expect(withoutEmptyArguments(messages)).toBe(messages);
});
