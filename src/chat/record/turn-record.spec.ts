import { describe, expect, it } from '@jest/globals';
import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';
import { turnRecord } from './turn-record.js';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const said = (content: string): ChatMessage => ({ role: 'assistant', content });
const system = (content: string): ChatMessage => ({ role: 'system', content });
const call = (id: string): ToolCall => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{}' },
});
const answer = (text: string, ...ids: string[]) => ({ text, refusal: '', toolCalls: ids.map(call) });

describe('turnRecord', () => {
  it('gives all turns of a growing history one conversation, and counts them', () => {
    const first = turnRecord('ann', [system('At 9:00'), user('Hi')], answer(' Hello.\n'));
    const second = turnRecord('ann', [system('At 9:01'), user('Hi'), said('Hello.'), user('And?')]);
    const third = turnRecord('ann', [user('Hi'), said('Hello.'), user('And?'), said('So.'), user('Oh')]);
    expect(first).toEqual({ conversation: expect.stringMatching(/^[0-9a-f]{16}$/), turn: 1 });
    expect([second, third]).toEqual([
      { ...first, turn: 2 },
      { ...first, turn: 3 },
    ]);
  });

  it.each(['call_1', 'call1'])(
    'follows the ids of tool calls, whatever the caller makes of the text, as %s',
    (id) => {
      const first = turnRecord(undefined, [user('Fix it')], answer('I look at it.', 'call_1'));
      const second = turnRecord(undefined, [
        user('Fix it'),
        { role: 'assistant', content: null, tool_calls: [call(id)] },
        { role: 'tool', tool_call_id: id, content: 'x' },
      ]);
      expect(second).toEqual({ ...first, turn: 2 });
      expect(turnRecord(undefined, [user('Fix it')], answer('I look at it.', 'call_2'))).not.toEqual(first);
    },
  );

  it('follows a first answer that is refused, which callers send back as text', () => {
    const first = turnRecord('ann', [user('Hi')], { text: 'Well. ', refusal: 'I will not.', toolCalls: [] });
    expect(first?.turn).toBe(1);
    expect(turnRecord('ann', [user('Hi'), said('Well. I will not.'), user('And?')])).toEqual({
      ...first,
      turn: 2,
    });
  });

  it('follows an answer before which the caller puts its reasoning', () => {
    const first = turnRecord('ann', [user('Hi')], answer('Hello.'));
    const thought = said(`<think>\n${'They greet. '.repeat(100)}\n</think>\n\nHello.`);
    expect(turnRecord('ann', [user('Hi'), thought, user('And?')])).toEqual({ ...first, turn: 2 });
  });

  it.each([
    ['another answer', 'ann', [user('Hi')], 'Good day.'],
    ['another caller', 'ben', [user('Hi')], 'Hello.'],
    ['another beginning', 'ann', [user('Hi there')], 'Hello.'],
  ])('tells conversations with %s apart', (_what, key, messages, text) => {
    const { conversation } = turnRecord('ann', [user('Hi')], answer('Hello.'))!;
    expect(turnRecord(key, messages, answer(text))?.conversation).not.toBe(conversation);
  });

  it('is unknown before the first answer, and without one', () => {
    expect(turnRecord('ann', [user('Hi')])).toBeUndefined();
    expect(turnRecord('ann', [user('Hi')], answer(''))).toBeUndefined();
  });

  it('reads the beginning of long texts only', () => {
    const long = 'x'.repeat(5000);
    const first = turnRecord('ann', [user(`${long}a`)], answer(`\n\n${long}`));
    expect(turnRecord('ann', [user(`${long}b`), said(long), user('b')])).toEqual({ ...first, turn: 2 });
  });
});
