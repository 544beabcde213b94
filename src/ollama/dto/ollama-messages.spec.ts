import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import { fromOllamaMessages, withImages } from './ollama-messages.js';

const calling = (...names: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: names.map((name) => ({ function: { name, arguments: { of: name } } })),
});
const result = (fields: object) => ({ role: 'tool', content: 'done', ...fields });

/** The ids of the results among messages. */
function answered(...messages: object[]): unknown[] {
  return (fromOllamaMessages(messages) as { role: string; tool_call_id?: unknown }[])
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id: id }) => id);
}

describe('fromOllamaMessages', () => {
  it('gives calls ids, and their arguments as text', () => {
    expect(fromOllamaMessages([{ ...calling('read'), thinking: 'Hm.' }])).toEqual([
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"of":"read"}' } },
        ],
      },
    ]);
  });

  it('finds the call of a result by the name of its tool, else by their order', () => {
    const calls = calling('read', 'write', 'read');
    const named = ['write', 'read', 'read'].map((name) => result({ tool_name: name }));
    expect(answered(calls, ...named)).toEqual(['call_1', 'call_0', 'call_2']);
    expect(answered(calls, result({}), result({}), result({}))).toEqual(['call_0', 'call_1', 'call_2']);
    expect(answered(calls, result({ name: 'write' }))).toEqual(['call_1']);
  });

  it('keeps ids that clients send', () => {
    const calls = {
      role: 'assistant',
      tool_calls: [{ id: 'c', function: { name: 'read', arguments: '{"a":1}' } }],
    };
    expect(fromOllamaMessages([calls, result({ tool_call_id: 'c' })])).toMatchObject([
      { tool_calls: [{ id: 'c', function: { arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
    ]);
  });

  it('takes several calls of one message and results of other tools in turn', () => {
    const calls = calling('read', 'write', 'read', 'write');
    const named = ['other', 'read', 'write', 'other', 'write'].map((name) => result({ tool_name: name }));
    expect(answered(calls, ...named)).toEqual(['call_0', 'call_2', 'call_1', 'call_3', 'call_4']);
  });

  it('finds the calls of many results in linear time', () => {
    const cost = (count: number): number => {
      const calls = Array.from({ length: count }, () => calling('read'));
      const results = Array.from({ length: count }, () => result({ tool_name: 'other' }));
      return cpuMs(() => expect(answered(...calls, ...results)).toHaveLength(count));
    };
    expectCostRatio({ small: () => cost(5000), large: () => cost(20_000) }, 8);
  });

  it('takes a result without a call', () => {
    expect(answered(result({}))).toEqual(['call_0']);
  });

  it('leaves what is no message to the check of the chat format', () => {
    const odd = [5, null, { role: 'cook', content: 5 }, { role: 'assistant', tool_calls: [] }];
    expect(fromOllamaMessages(odd)).toEqual([
      5,
      null,
      { role: 'cook', content: 5 },
      { role: 'assistant', content: undefined },
    ]);
    expect(fromOllamaMessages('Hi')).toBe('Hi');
  });
});

describe('withImages', () => {
  it.each([
    ['iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
    ['/9j/4AAQ', 'data:image/jpeg;base64,/9j/4AAQ'],
    ['R0lGODlh', 'data:image/gif;base64,R0lGODlh'],
    ['UklGRg==', 'data:image/webp;base64,UklGRg=='],
    ['data:image/avif;base64,AAAA', 'data:image/avif;base64,AAAA'],
  ])('knows the type of %s', (image, url) => {
    expect(withImages('Look.', [image], 'images')).toEqual([
      { type: 'text', text: 'Look.' },
      { type: 'image_url', image_url: { url } },
    ]);
  });

  it('leaves a content without images as it is', () => {
    expect([withImages('Hi', undefined, 'images'), withImages('Hi', [], 'images')]).toEqual(['Hi', 'Hi']);
  });
});
