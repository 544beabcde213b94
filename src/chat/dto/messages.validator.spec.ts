import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { validateMessages } from './messages.validator.js';

const user = { role: 'user', content: 'hi' };
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
const customCall = { id: 'call_2', type: 'custom', custom: { name: 'patch', input: 'a "b"' } };
const asking = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'call_1', content: 'found' };

function refusal(messages: unknown): { param: string | undefined; message: string } {
  try {
    validateMessages(messages);
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      return { param: error.param, message: error.message };
    }
    throw error;
  }
  throw new Error('The messages were accepted');
}

describe('validateMessages', () => {
  it.each<[string, unknown[]]>([
    ['a user message', [user]],
    ['a result whose call was left out', [user, result]],
    [
      'every role',
      [{ role: 'system', content: 's' }, { role: 'developer', content: 'd' }, user, asking, result],
    ],
    [
      'text parts of a user',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: '' },
          ],
        },
      ],
    ],
    ['text parts of a system message', [{ role: 'system', content: [{ type: 'text', text: 'a' }] }]],
    ['text parts of a tool result', [asking, { ...result, content: [{ type: 'text', text: 'a' }] }]],
    ['a part with more in it', [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: {} }] }]],
    ['assistant content null', [{ role: 'assistant', content: null }]],
    ['assistant content empty', [{ role: 'assistant', content: '' }]],
    ['assistant content left out', [{ role: 'assistant', tool_calls: [call] }]],
    ['empty user content', [{ role: 'user', content: '' }]],
    ['consecutive user messages', [user, user, user]],
    ['a user message after tool results', [user, asking, result, user]],
    ['an unanswered tool call', [user, asking, user]],
    [
      'several results, in any order',
      [
        { role: 'assistant', tool_calls: [call, { ...call, id: 'call_2' }] },
        { ...result, tool_call_id: 'call_2' },
        result,
      ],
    ],
    ['reasoning sent back', [{ role: 'assistant', content: 'a', reasoning_content: 'because' }]],
    ['a call without type', [{ role: 'assistant', tool_calls: [{ id: 'x', function: call.function }] }]],
    [
      'arguments that are no JSON',
      [{ role: 'assistant', tool_calls: [{ ...call, function: { name: 'read', arguments: '' } }] }],
    ],
    ['a name', [{ ...user, name: 'ann' }]],
    ['unknown fields', [{ ...user, prefix: true, reasoning_details: [{ type: 'reasoning.text' }] }]],
    ['lone surrogates', [{ role: 'user', content: '\ud83d' }]],
  ])('accepts %s', (_what, messages) => {
    expect(validateMessages(messages)).toBe(messages);
  });

  it('leaves out what messages hold as they were answered, and what says nothing', () => {
    const dumped = {
      ...{ role: 'assistant', content: null, refusal: null, annotations: [{ type: 'url_citation' }] },
      ...{ audio: null, function_call: null, tool_calls: [], name: null },
    };
    expect(validateMessages([user, dumped, { ...user, name: null }])).toEqual([
      user,
      { role: 'assistant', content: null },
      user,
    ]);
  });

  it.each<[object, object]>([
    [{ reasoning: 'Hm.' }, { reasoning_content: 'Hm.' }],
    [{ reasoning: 'Hm.', reasoning_content: 'Ha.' }, { reasoning_content: 'Ha.' }],
    [{ reasoning: 'Hm.', reasoning_content: null }, { reasoning_content: 'Hm.' }],
    [{ reasoning: { odd: true } }, { reasoning: { odd: true } }],
  ])('knows the other name of reasoning: %j', (sent, expected) => {
    const said = { role: 'assistant', content: 'a' };
    expect(validateMessages([{ ...said, ...sent }])).toEqual([{ ...said, ...expected }]);
  });

  it('takes nothing for an empty text in what was said and found', () => {
    const made = { role: 'assistant', content: [], tool_calls: [call] };
    const found = { ...result, content: [] };
    expect(validateMessages([user, made, found, { ...found, content: null }])).toEqual([
      user,
      { ...made, content: null },
      { ...found, content: '' },
      { ...found, content: '' },
    ]);
  });

  it('reads the names that other formats have for text', () => {
    const said = { role: 'assistant', content: [{ type: 'output_text', text: 'b', annotations: [] }] };
    const read = validateMessages([{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }, said]);
    expect(read).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
    ]);
  });

  it.each([
    [undefined, 'Hm.Ha.'],
    ['Known.', 'Known.'],
  ])('takes thoughts out of what was said, beside the reasoning %s', (reasoning, expected) => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'a' },
      { type: 'thinking', thinking: 'Ha.' },
    ];
    const message = { role: 'assistant', content, ...(reasoning && { reasoning_content: reasoning }) };
    expect(validateMessages([message])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'a' }], reasoning_content: expected },
    ]);
  });

  it.each([null, undefined, ''])('takes a refusal for text where the content is %j', (content) => {
    const refused = { role: 'assistant', content, refusal: 'I will not.' };
    expect(validateMessages([user, refused])).toEqual([user, { role: 'assistant', content: 'I will not.' }]);
  });

  it('keeps the text that came with a refusal', () => {
    const said = { role: 'assistant', content: 'a' };
    expect(validateMessages([{ ...said, refusal: '' }])).toEqual([said]);
    expect(validateMessages([{ ...said, content: null, refusal: '' }])).toEqual([{ ...said, content: null }]);
    expect(() => validateMessages([{ ...said, content: 5, refusal: 'no' }])).toThrow('messages[0].content');
    expect(validateMessages([{ ...said, refusal: 'no' }])).toEqual([{ ...said, content: 'a\n\nno' }]);
    const parts = [{ type: 'text', text: 'a' }];
    expect(validateMessages([{ ...said, content: parts, refusal: 'no' }])).toEqual([
      { ...said, content: [...parts, { type: 'text', text: 'no' }] },
    ]);
  });

  it('takes the refusal of a part for text', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'refusal', refusal: 'no' },
    ];
    expect(validateMessages([{ role: 'assistant', content }])).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'no' },
        ],
      },
    ]);
  });

  it('reads the call of a custom tool as that of its function', () => {
    const answer = { role: 'tool', tool_call_id: 'call_2', content: 'done' };
    expect(validateMessages([{ role: 'assistant', tool_calls: [call, customCall] }, answer])).toEqual([
      {
        role: 'assistant',
        tool_calls: [
          call,
          { id: 'call_2', type: 'function', function: { name: 'patch', arguments: '{"input":"a \\"b\\""}' } },
        ],
      },
      answer,
    ]);
  });

  const toolUse = { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a' } };
  const toolResult = { type: 'tool_result', tool_use_id: 'call_1', content: 'found' };
  const text = { type: 'text', text: 'a' };

  it.each<[what: string, message: object, read: object[]]>([
    ['a call', { role: 'assistant', content: [toolUse] }, [asking]],
    ['a call after text', { role: 'assistant', content: [text, toolUse] }, [{ ...asking, content: [text] }]],
    ['a call that is there twice', { ...asking, content: [toolUse] }, [asking]],
    [
      'a call without arguments',
      { role: 'assistant', content: [{ ...toolUse, input: undefined }] },
      [{ ...asking, tool_calls: [{ ...call, function: { name: 'read', arguments: '{}' } }] }],
    ],
    ['a result', { role: 'user', content: [toolResult] }, [result]],
    [
      'results before what stands beside them',
      { role: 'user', content: [text, toolResult, { ...toolResult, content: [text] }] },
      [result, { ...result, content: [text] }, { role: 'user', content: [text] }],
    ],
    [
      'an empty result',
      { role: 'user', content: [{ ...toolResult, content: null }] },
      [{ ...result, content: '' }],
    ],
    [
      'what failed',
      {
        role: 'user',
        content: [
          { ...toolResult, is_error: true },
          { ...toolResult, content: [text], is_error: true },
          { ...toolResult, content: [{ ...text, text: 'Error: a' }], is_error: true },
          { ...toolResult, content: [], is_error: true },
        ],
      },
      [
        { ...result, content: 'Error: found' },
        { ...result, content: [{ ...text, text: 'Error: a' }] },
        { ...result, content: [{ ...text, text: 'Error: a' }] },
        { ...result, content: [{ ...text, text: 'Error:' }] },
      ],
    ],
    [
      'a picture beside a result',
      { role: 'user', content: [toolResult, { type: 'image_url', image_url: { url: 'data:x' } }] },
      [result, { role: 'user', content: [{ type: 'text', text: expect.stringContaining('left out') }] }],
    ],
  ])('reads %s as parts of the Messages format', (_what, message, read) => {
    expect(validateMessages([user, message])).toEqual([user, ...read]);
  });

  it.each<[part: object, role: string, field: string, problem: string]>([
    [{ ...toolUse, id: '' }, 'assistant', 'id', 'must be a non-empty string'],
    [{ ...toolUse, name: 5 }, 'assistant', 'name', 'must be a non-empty string'],
    [{ ...toolUse, input: '{}' }, 'assistant', 'input', 'must be an object'],
    [{ ...toolResult, tool_use_id: undefined }, 'user', 'tool_use_id', 'must be a non-empty string'],
    [{ ...toolResult, content: 5 }, 'user', 'content', 'must be a string or an array of text parts'],
  ])('refuses %j of the Messages format', (part, role, field, problem) => {
    const param = `messages[0].content[1].${field}`;
    expect(refusal([{ role, content: [text, part] }])).toEqual({ param, message: `${param} ${problem}.` });
  });

  it('leaves no content of thoughts alone', () => {
    const content = [{ type: 'thinking', thinking: 'Hm.' }];
    expect(validateMessages([{ role: 'assistant', content, tool_calls: [call] }])).toEqual([
      { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'Hm.' },
    ]);
  });

  it.each<[messages: unknown, param: string, problem: string]>([
    [undefined, 'messages', 'is required'],
    [null, 'messages', 'is required'],
    ['hi', 'messages', 'must be an array'],
    [{ 0: user, length: 1 }, 'messages', 'must be an array'],
    [[], 'messages', 'must hold 1 to 100000 messages'],
    [Array.from({ length: 100_001 }, () => user), 'messages', 'must hold 1 to 100000 messages'],
    [[user, null], 'messages[1]', 'must be an object'],
    [[[user]], 'messages[0]', 'must be an object'],
    [['hi'], 'messages[0]', 'must be an object'],
    [[{}], 'messages[0].role', 'must be one of system, developer, user, assistant, tool'],
    [
      [{ role: 'User', content: '' }],
      'messages[0].role',
      'must be one of system, developer, user, assistant, tool',
    ],
    [
      [{ role: ['user'], content: '' }],
      'messages[0].role',
      'must be one of system, developer, user, assistant, tool',
    ],
    [
      [{ role: 'function', name: 'f', content: '1' }],
      'messages[0].role',
      'is no longer known: send the result as `tool`, with its `tool_call_id`',
    ],
    [[{ role: 'toString' }], 'messages[0].role', 'must be one of system, developer, user, assistant, tool'],
    [[{ ...user, name: 7 }], 'messages[0].name', 'must be a string'],
    [[user, { role: 'user' }], 'messages[1].content', 'must be a string or an array of text parts'],
    [[{ role: 'user', content: null }], 'messages[0].content', 'must be a string or an array of text parts'],
    [[{ role: 'system', content: 1 }], 'messages[0].content', 'must be a string or an array of text parts'],
    [
      [{ role: 'user', content: { type: 'text', text: 'a' } }],
      'messages[0].content',
      'must be a string or an array of text parts',
    ],
    [
      [{ role: 'assistant', content: 5 }],
      'messages[0].content',
      'must be a string or an array of text parts',
    ],
    [
      [asking, { ...result, content: 5 }],
      'messages[1].content',
      'must be a string or an array of text parts',
    ],
    [[{ role: 'user', content: [] }], 'messages[0].content', 'must hold at least one part'],
    [[{ role: 'system', content: [] }, user], 'messages[0].content', 'must hold at least one part'],
    [[{ role: 'user', content: ['a'] }], 'messages[0].content[0]', 'must be an object'],
    [
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'x' } },
          ],
        },
      ],
      'messages[0].content[1]',
      'must be a text part: this upstream takes text only (got "image_url")',
    ],
    [
      [{ role: 'user', content: [{ type: 'refusal', refusal: 'no' }] }],
      'messages[0].content[0]',
      'is of a type that this gateway does not know (got "refusal")',
    ],
    [
      [{ role: 'user', content: [{ type: 'x'.repeat(50) }] }],
      'messages[0].content[0]',
      `is of a type that this gateway does not know (got "${'x'.repeat(40)}")`,
    ],
    [[{ role: 'user', content: [{ text: 'a' }] }], 'messages[0].content[0].type', 'must be a string'],
    [[{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text', 'must be a string'],
    [
      [{ role: 'assistant', content: [{ type: 'refusal', text: 'a' }] }],
      'messages[0].content[0].refusal',
      'must be a string',
    ],
    [[{ role: 'assistant', reasoning_content: {} }], 'messages[0].reasoning_content', 'must be a string'],
    [[{ role: 'assistant', tool_calls: call }], 'messages[0].tool_calls', 'must be an array'],
    [[{ role: 'assistant', tool_calls: [null] }], 'messages[0].tool_calls[0]', 'must be an object'],
    [
      [{ role: 'assistant', tool_calls: [call, { ...call, id: '' }] }],
      'messages[0].tool_calls[1].id',
      'must be a non-empty string',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ ...call, type: 'poem' }] }],
      'messages[0].tool_calls[0].type',
      'must be "function" or "custom"',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ ...call, type: 'custom' }] }],
      'messages[0].tool_calls[0].custom',
      'must be an object',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ ...customCall, custom: { name: '', input: '' } }] }],
      'messages[0].tool_calls[0].custom.name',
      'must be a non-empty string',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ ...customCall, custom: { name: 'patch' } }] }],
      'messages[0].tool_calls[0].custom.input',
      'must be a string',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ ...call, function: 'read' }] }],
      'messages[0].tool_calls[0].function',
      'must be an object',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ ...call, function: { name: '', arguments: '' } }] }],
      'messages[0].tool_calls[0].function.name',
      'must be a non-empty string',
    ],
    [
      [
        {
          role: 'assistant',
          tool_calls: [{ ...call, function: { name: 'read', arguments: { path: 'a' } } }],
        },
      ],
      'messages[0].tool_calls[0].function.arguments',
      'must be a string that holds JSON',
    ],
    [[asking, { role: 'tool', content: 'a' }], 'messages[1].tool_call_id', 'must be a non-empty string'],
    [[asking, { ...result, tool_call_id: '' }], 'messages[1].tool_call_id', 'must be a non-empty string'],
    [[asking, { ...result, tool_call_id: 1 }], 'messages[1].tool_call_id', 'must be a non-empty string'],
  ])('refuses %j', (messages, param, problem) => {
    expect(refusal(messages)).toEqual({ param, message: `${param} ${problem}.` });
  });

  it('names the first invalid one of many messages', () => {
    const messages = Array.from({ length: 50_000 }, (_, index) => (index < 40_000 ? user : { role: 'user' }));
    expect(refusal(messages).param).toBe('messages[40000].content');
  });

  it('checks 100,000 messages, and 1 MB in 1,000 messages, in linear time', async () => {
    const many = Array.from({ length: 100_000 }, () => ({ role: 'user', content: 'hello there' }));
    const large = Array.from({ length: 1000 }, () => ({ role: 'user', content: 'x'.repeat(1024) }));
    const costMs = cpuMs(() => {
      validateMessages(many);
      validateMessages(large);
    });
    // About 30 ms; anything worse than linear takes far longer than this allows a slow machine.
    await cpuPace.expectWithin(costMs, 1000);
  });

  it('throws only InvalidRequestError with a param for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 4 }), (messages) => {
        const { param, message } = refusal(messages);
        expect(param).toMatch(/^messages/);
        expect(message.startsWith(`${param} `)).toBe(true);
      }),
    );
  });
});
