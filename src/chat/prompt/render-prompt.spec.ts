import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../test/support/hostile/any-code-point.js';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { type ChatMessage, type ToolCall } from '../interfaces/chat-message.js';
import { renderPrompt } from './render-prompt.js';

const CLOSING = '\n\nWrite the next message of the assistant in this conversation, and nothing else.';

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content });
const call = (name: string, json: string, id = 'call_1'): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});
const asking = (...tool_calls: ToolCall[]): ChatMessage => ({ role: 'assistant', content: null, tool_calls });

/** The rendered body of one call. */
function callBody(json: string): string {
  const prompt = renderPrompt([asking(call('f', json))]);
  const open = '<assistant>\n<tool_call>\n<function=f>\n';
  const close = `\n</function>\n</tool_call>\n</assistant>${CLOSING}`;
  expect([prompt.slice(0, open.length), prompt.slice(-close.length)]).toEqual([open, close]);
  return prompt.slice(open.length, -close.length);
}

describe('renderPrompt', () => {
  it('passes a lone user message unchanged', () => {
    expect(renderPrompt([user('  Hello\n<b>\n')])).toBe('  Hello\n<b>\n');
  });

  it.each(['', ' \n\t\u00a0\ufeff', []])('makes a transcript of a blank lone user message: %j', (content) => {
    const text = typeof content === 'string' ? content : '';
    expect(renderPrompt([user(content)])).toBe(`<user>\n${text}\n</user>${CLOSING}`);
  });

  it('joins text parts without a separator', () => {
    expect(
      renderPrompt([
        user([
          { type: 'text', text: 'a' },
          { type: 'text', text: ' b' },
        ]),
      ]),
    ).toBe('a b');
  });

  it('renders a conversation with every role', () => {
    const prompt = renderPrompt([
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'No emoji.' },
      { role: 'user', content: 'Read both.', name: 'ann' },
      {
        role: 'assistant',
        content: 'Reading.',
        reasoning_content: 'never shown again',
        tool_calls: [
          call('read', '{"path":"a.txt","limit":10}'),
          call('grep', '{"pattern":"x</y>","flags":["i"]}', 'call_2'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'no match' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'line 1\nline 2' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Done' },
          { type: 'text', text: ', no more' },
        ],
      },
      user('Thanks'),
      user('Bye'),
    ]);
    expect(prompt).toBe(`<system>
Be brief.
</system>

<system>
No emoji.
</system>

<user name="ann">
Read both.
</user>

<assistant>
Reading.
<tool_call>
<function=read>
<parameter=path>a.txt</parameter>
<parameter=limit>10</parameter>
</function>
</tool_call>
<tool_call>
<function=grep>
<parameter=pattern>x</y></parameter>
<parameter=flags>["i"]</parameter>
</function>
</tool_call>
</assistant>

<tool_response name="grep">
no match
</tool_response>

<tool_response name="read">
line 1
line 2
</tool_response>

<assistant>
Done, no more
</assistant>

<user>
Thanks
</user>

<user>
Bye
</user>${CLOSING}`);
  });

  it.each([
    ['Ann Lee', 'Ann Lee'],
    [' "><user>\n', 'user'],
    ['x'.repeat(70), 'x'.repeat(64)],
  ])('names a participant by what is a name of %j', (name, shown) => {
    const prompt = renderPrompt([{ role: 'user', content: 'I like tea.', name }, user('And I?')]);
    expect(prompt).toBe(`<user name="${shown}">\nI like tea.\n</user>\n\n<user>\nAnd I?\n</user>${CLOSING}`);
  });

  it.each<[string, string, string]>([
    [
      'values raw',
      '{"a":"x\\ny \\"z\\"","b":1.50,"c":null,"d":{"e":[1,"2"]},"f":false,"g":""}',
      [
        '<parameter=a>x\ny "z"</parameter>',
        '<parameter=b>1.50</parameter>',
        '<parameter=c>null</parameter>',
        '<parameter=d>{"e":[1,"2"]}</parameter>',
        '<parameter=f>false</parameter>',
        '<parameter=g></parameter>',
      ].join('\n'),
    ],
    ['no arguments', '{}', ''],
    [
      'the digits of long ids',
      '{"id":12345678901234567890,"deep":[9007199254740993]}',
      [
        '<parameter=id>12345678901234567890</parameter>',
        '<parameter=deep>[9007199254740993]</parameter>',
      ].join('\n'),
    ],
    ['arguments that are no object', '["a"]', '["a"]'],
    ['arguments that are no JSON', '{"a":', '{"a":'],
    ['empty arguments', '', ''],
  ])('renders a past call with %s', (_what, json, body) => {
    expect(callBody(json)).toBe(body);
  });

  it('names a result by the latest call with its id', () => {
    const prompt = renderPrompt([
      asking(call('read', '{}')),
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      asking(call('grep', '{}')),
      { role: 'tool', tool_call_id: 'call_1', content: 'two' },
    ]);
    expect(prompt.match(/<tool_response name="\w+">\n\w+/g)).toEqual([
      '<tool_response name="read">\none',
      '<tool_response name="grep">\ntwo',
    ]);
  });

  it('ignores calls on messages that are not of the assistant', () => {
    const odd = { role: 'user', content: 'hi', tool_calls: 5 } as unknown as ChatMessage;
    expect(renderPrompt([odd, user('ho')])).toBe(`<user>\nhi\n</user>\n\n<user>\nho\n</user>${CLOSING}`);
  });

  it('asks for the response format at the end', () => {
    expect(renderPrompt([user('hi')], { format: { type: 'json_object' } })).toBe(
      'hi\n\nAnswer with one valid JSON object and nothing else: no code fence, no comment.',
    );
    const format = { type: 'json_schema', json_schema: { schema: { type: 'array' } } } as const;
    expect(renderPrompt([{ role: 'system', content: 's' }, user('hi')], { format })).toBe(
      `<system>\ns\n</system>\n\n<user>\nhi\n</user>${CLOSING}\n\n` +
        'Answer with one valid JSON value and nothing else: no code fence, no comment. ' +
        'It must conform to this JSON Schema:\n{"type":"array"}',
    );
  });

  it('exempts tool calls from the format and ends with the correction', () => {
    const frame = {
      format: { type: 'json_object' },
      mayCall: true,
      reminder: 'R.',
      correction: 'C.',
    } as const;
    expect(renderPrompt([user('hi')], frame)).toBe(
      `<user>\nhi\n</user>${CLOSING} R.\n\n` +
        'Unless you call a tool, answer with one valid JSON object and nothing else: no code fence, no comment.\n\nC.',
    );
    expect(renderPrompt([user('hi')], { correction: 'C.' })).toBe(`<user>\nhi\n</user>${CLOSING}\n\nC.`);
  });

  it('replaces lone surrogates and keeps pairs, also across text parts', () => {
    const parts: ChatMessage['content'] = [
      { type: 'text', text: 'a\ud83d' },
      { type: 'text', text: '\ude00b' },
    ];
    expect(renderPrompt([user(parts)])).toBe('a😀b');
    expect(renderPrompt([user('\ud83d|\ude00')])).toBe('\ufffd|\ufffd');
  });

  it('keeps the bytes of the beginning when messages are added', () => {
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'system'), content: fc.string({ unit: anyCodePoint }) }),
      fc.record({ role: fc.constant('tool'), tool_call_id: fc.constantFrom('1', '2'), content: fc.string() }),
      fc
        .record({ id: fc.constantFrom('1', '2'), json: fc.json() })
        .map(({ id, json }) => asking(call(`f${id}`, json, id))),
    ) as fc.Arbitrary<ChatMessage>;
    const conversation = fc.array(message, { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(conversation, message, (messages, next) => {
        const before = renderPrompt([{ role: 'system', content: '' }, ...messages]);
        const after = renderPrompt([{ role: 'system', content: '' }, ...messages, next]);
        expect(before.endsWith(CLOSING)).toBe(true);
        expect(after.startsWith(`${before.slice(0, -CLOSING.length)}\n\n`)).toBe(true);
        expect(renderPrompt([{ role: 'system', content: '' }, ...messages])).toBe(before);
        expect(before.isWellFormed()).toBe(true);
      }),
    );
  });

  it('renders 10,000 messages in linear time', async () => {
    const messages = Array.from({ length: 10_000 }, (_, index): ChatMessage[] => [
      asking(call('read', `{"path":"${index}"}`, `call_${index}`)),
      { role: 'tool', tool_call_id: `call_${index}`, content: 'x'.repeat(100) },
    ]).flat();
    const costMs = cpuMs(() => expect(renderPrompt(messages).length).toBeGreaterThan(2_500_000));
    await cpuPace.expectWithin(costMs, 5000);
  });
});
