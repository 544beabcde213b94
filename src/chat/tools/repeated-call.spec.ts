import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';
import { findRepeatedCall } from './repeated-call.js';

const call = (name: string, json = '{}'): ToolCall => ({
  id: 'x',
  type: 'function',
  function: { name, arguments: json },
});
const user: ChatMessage = { role: 'user', content: 'go' };
const turn = (...tool_calls: ToolCall[]): ChatMessage[] => [
  { role: 'assistant', content: null, tool_calls },
  ...tool_calls.map((): ChatMessage => ({ role: 'tool', tool_call_id: 'x', content: 'r' })),
];
const a = call('a', '{"x":1,"y":[2]}');
const b = call('b');

describe('findRepeatedCall', () => {
  it('finds a call that was made in each answer since the last user message', () => {
    expect(findRepeatedCall([user, ...turn(a), ...turn(a)], [a])).toEqual({ name: 'a', times: 3 });
    expect(findRepeatedCall([user, ...turn(a, b), ...turn(b, a), ...turn(a)], [b, a])).toEqual({
      name: 'a',
      times: 4,
    });
    expect(findRepeatedCall([user], [a, a, a])).toEqual({ name: 'a', times: 3 });
  });

  it('looks past what an agent puts behind results', () => {
    expect(findRepeatedCall([user, ...turn(a), user, ...turn(a), user], [a])).toEqual({
      name: 'a',
      times: 3,
    });
  });

  it('compares arguments by value and not by spelling', () => {
    const other = call('a', ' {"y": [2], "x": 1.0}');
    expect(findRepeatedCall([user, ...turn(other), ...turn(a)], [a])).toEqual({ name: 'a', times: 3 });
    const broken = call('a', '{"x":');
    expect(findRepeatedCall([user, ...turn(broken), ...turn(broken)], [broken])).toEqual({
      name: 'a',
      times: 3,
    });
  });

  it('counts thousands of calls in linear time', async () => {
    const many = Array.from({ length: 4000 }, (_, index) => call('a', `{"x":${index}}`));
    const costMs = cpuMs(() =>
      expect(findRepeatedCall([user, ...turn(...many), ...turn(...many)], many)).toMatchObject({ times: 3 }),
    );
    await cpuPace.expectWithin(costMs, 1000);
  });

  it('compares arguments by their text if they are nested too deeply', () => {
    const deep = (space: string): ToolCall => call('a', `${'['.repeat(50_000)}${space}${']'.repeat(50_000)}`);
    expect(findRepeatedCall([user, ...turn(deep('')), ...turn(deep(''))], [deep('')])).toMatchObject({
      times: 3,
    });
    expect(findRepeatedCall([user, ...turn(deep('')), ...turn(deep(' '))], [deep('')])).toBeUndefined();
  });

  it.each<[string, ChatMessage[], ToolCall[]]>([
    ['twice', [user, ...turn(a)], [a]],
    ['other arguments', [user, ...turn(call('a', '{"x":2}')), ...turn(a)], [a]],
    ['another name', [user, ...turn(call('c', a.function.arguments)), ...turn(a)], [a]],
    ['another call between', [user, ...turn(a), ...turn(a), ...turn(b)], [a]],
    ['an answer in words between', [user, ...turn(a), ...turn(a), { role: 'assistant', content: 'hm' }], [a]],
    ['a message of the user between', [user, ...turn(a), ...turn(a), user, user, ...turn(a)], [a]],
    ['an answer without calls', [user, ...turn(a), ...turn(a), ...turn(a)], []],
  ])('ignores %s', (_what, messages, calls) => {
    expect(findRepeatedCall(messages, calls)).toBeUndefined();
  });
});
