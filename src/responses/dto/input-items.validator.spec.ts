import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { isOmitted, unknownTypes, validateInput } from './input-items.validator.js';

const user = { type: 'message', role: 'user', content: 'hi' };
const call = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'found' };

function refusal(input: unknown): { param: string | undefined; message: string } {
  try {
    validateInput(input);
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      return { param: error.param, message: error.message };
    }
    throw error;
  }
  throw new Error('The input was accepted');
}

const update = (fields: object) => ({ type: 'configuration_update', ...fields });

describe('validateInput', () => {
  it('takes a string as a message of the user', () => {
    expect(validateInput('hi')).toEqual([user]);
  });

  it('takes a message without its type', () => {
    expect(validateInput([{ role: 'user', content: 'hi' }])).toEqual([user]);
  });

  it.each<[string, unknown[]]>([
    ['every role', ['system', 'developer', 'user', 'assistant'].map((role) => ({ ...user, role }))],
    ['parts of text', [{ ...user, content: [{ type: 'input_text', text: 'a' }] }]],
    [
      'what an assistant said',
      [
        {
          ...user,
          role: 'assistant',
          id: 'msg_1',
          status: 'completed',
          content: [
            { type: 'output_text', text: 'a', annotations: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
      ],
    ],
    ['a call and its output', [call, output]],
    ['an output in parts', [call, { ...output, output: [{ type: 'input_text', text: 'a' }] }]],
    [
      'a call of a custom tool and its output',
      [
        { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: '' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: '' },
      ],
    ],
    [
      'reasoning',
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: null }],
    ],
    ['tools', [{ type: 'additional_tools', role: 'developer', tools: [] }]],
    ['a call of a built-in tool', [{ type: 'shell_call', call_id: 'c3', action: { commands: ['ls'] } }]],
    ['a request for a summary', [user, { type: 'compaction_trigger' }]],
    ['a reference', [{ type: 'item_reference', id: 'msg_1' }]],
    [
      'what an agent tells another',
      [
        {
          type: 'agent_message',
          author: '/root',
          recipient: '/root/count',
          content: [
            { type: 'input_text', text: 'A task:' },
            { type: 'encrypted_content', encrypted_content: 'Count.' },
          ],
        },
      ],
    ],
    ['an output without the id of its call', [{ type: 'function_call_output', output: 'found' }]],
  ])('accepts %s', (_what, items) => {
    expect(validateInput(items)).toEqual(items);
  });

  it('takes an id alone for a reference', () => {
    expect(validateInput([{ id: 'msg_1' }])).toEqual([{ type: 'item_reference', id: 'msg_1' }]);
  });

  it('leaves out what servers did', () => {
    const others = [
      'web_search_call',
      'compaction_trigger',
      'context_compaction',
      'multi_agent_call',
      'multi_agent_call_output',
    ];
    const items = validateInput([...others.map((type) => ({ type })), user]);
    expect(items.filter((item) => !isOmitted(item))).toEqual([user]);
    expect(unknownTypes(items)).toEqual([]);
  });

  it('leaves out what it does not know, and names it', () => {
    const items = validateInput([{ type: 'poem' }, user, { type: 'song' }, { type: 'poem' }, output]);
    expect(items.filter((item) => !isOmitted(item))).toEqual([user, output]);
    expect(unknownTypes(items)).toEqual(['poem', 'song']);
  });

  it.each<[input: unknown, param: string, problem: string]>([
    [undefined, 'input', 'is required'],
    [null, 'input', 'is required'],
    [5, 'input', 'must be a string or an array of items'],
    [[], 'input', 'must hold 1 to 100000 items'],
    [[user, 'hi'], 'input[1]', 'must be an object'],
    [[{}], 'input[0].type', 'must be a string'],
    [[{ type: 'poem' }], 'input[0].type', 'is not a type of item that is supported'],
    [[user, { type: 'poem' }], 'input[1].type', 'is not a type of item that is supported'],
    [[{ type: 5 }, user], 'input[0].type', 'must be a string'],
    [[{ type: 'agent_message' }], 'input[0].content', 'must be a string or an array of text parts'],
    [[{ ...user, role: 'tool' }], 'input[0].role', 'must be one of system, developer, user, assistant'],
    [[{ ...user, content: 5 }], 'input[0].content', 'must be a string or an array of text parts'],
    [[{ ...user, content: ['a'] }], 'input[0].content[0]', 'must be an object'],
    [[{ ...user, content: [{}] }], 'input[0].content[0].type', 'must be a string'],
    [[{ ...user, content: [{ type: 'input_text' }] }], 'input[0].content[0].text', 'must be a string'],
    [[{ ...call, call_id: '' }], 'input[0].call_id', 'must be a non-empty string'],
    [[{ ...call, name: 5 }], 'input[0].name', 'must be a non-empty string'],
    [[{ ...call, arguments: {} }], 'input[0].arguments', 'must be a string'],
    [[{ ...output, call_id: '' }], 'input[0].call_id', 'must be a non-empty string'],
    [[{ ...output, output: {} }], 'input[0].output', 'must be a string or an array of text parts'],
    [[{ type: 'custom_tool_call', call_id: 'c', name: 'p' }], 'input[0].input', 'must be a string'],
    [[{ type: 'reasoning', summary: 'x' }], 'input[0].summary', 'must be an array of objects with a text'],
    [[{ type: 'item_reference' }], 'input[0].id', 'must be a non-empty string'],
    [[update({ reasoning: { effort: 3 } })], 'input[0].reasoning.effort', 'must be a string'],
    [
      [update({ text: { format: { type: 'xml' } } })],
      'input[0].text.format.type',
      'must be text, json_object or json_schema',
    ],
  ])('refuses %j', (input, param, problem) => {
    expect(refusal(input)).toEqual({ param, message: `${param} ${problem}.` });
  });

  it('throws only InvalidRequestError with a param for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 4 }), (input) => {
        const { param, message } = refusal(input);
        expect(param).toMatch(/^input/);
        expect(message.startsWith(`${param} `)).toBe(true);
      }),
    );
  });
});
