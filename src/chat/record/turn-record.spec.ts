import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';
import { turnRecord } from './turn-record.js';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const said = (content: string): ChatMessage => ({ role: 'assistant', content });
const system = (content: string): ChatMessage => ({ role: 'system', content });
const call = (id: string, json = '{}'): ToolCall => ({
  id,
  type: 'function',
  function: { name: 'a2b_read', arguments: json },
});
const answer = (text: string, ...ids: string[]) => ({
  text,
  refusal: '',
  toolCalls: ids.map((id) => call(id)),
});

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

  it.each(['call_0', 'functions.a2b_read:0'])(
    'tells calls that many conversations number %s by arguments',
    (id) => {
      const turn = (json: string) =>
        turnRecord(undefined, [user('Fix it')], { text: '', refusal: '', toolCalls: [call(id, json)] });
      const history = [user('Fix it'), { ...said(''), tool_calls: [call(id, '{"to":9, "path":"a"}')] }];
      expect(turnRecord(undefined, history)).toEqual({ ...turn('{"path":"a","to":9}'), turn: 2 });
      expect(turn('{"path":"b"}')?.conversation).not.toBe(turn('{"path":"a"}')?.conversation);
    },
  );

  it.each(['call_9fK2mQ', 'aB3dE6gH1', 'chatcmpl-tool-0f9e'])(
    'reads no arguments, which callers may change, beside an id of its own as %s',
    (id) => {
      const [first, other] = ['{}', '{"a":1}'].map((json) =>
        turnRecord(undefined, [user('Fix it')], { text: '', refusal: '', toolCalls: [call(id, json)] }),
      );
      expect(first).toEqual(other);
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

  it.each([
    ['one long list of lists', [call('call_0', '['.repeat(5e6) + ']'.repeat(5e6))]],
    ['many lists', Array.from({ length: 200 }, () => call('call_0', `[${'0,'.repeat(40_000)}0]`))],
  ])('reads little of calls with %s', async (_what, tool_calls) => {
    const messages: ChatMessage[] = [user('Hi'), { role: 'assistant', content: null, tool_calls }];
    await cpuPace.expectOnceWithin(() => cpuMs(() => turnRecord('ann', messages)), 400);
  });
});
