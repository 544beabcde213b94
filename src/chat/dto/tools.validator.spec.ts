import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { readToolChoice, toChatTools } from './tools.validator.js';

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const read: ToolDefinition = {
  type: 'function',
  function: { name: 'read', description: 'Reads.', parameters },
};
const tool = (fields: object): object => ({ type: 'function', function: { name: 'f', ...fields } });
const custom = (fields: object): object => ({ type: 'custom', custom: { name: 'patch', ...fields } });

function refusal(check: () => unknown): { param: string | undefined; message: string } {
  try {
    check();
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      return { param: error.param, message: error.message };
    }
    throw error;
  }
  throw new Error('The value was accepted');
}

describe('toChatTools', () => {
  it.each([undefined, null])('reads %s as no tools', (value) => {
    expect(toChatTools(value)).toEqual({ definitions: [], custom: new Set(), unsupported: [] });
  });

  it.each<[string, unknown[]]>([
    ['no tools', []],
    ['a tool', [read]],
    ['a name alone', [tool({})]],
    ['null for what is not set', [tool({ description: null, parameters: null, strict: null })]],
    ['strict', [tool({ strict: true })]],
    ['empty parameters', [tool({ parameters: {} })]],
    [
      'any JSON Schema keyword',
      [
        tool({
          parameters: {
            $defs: { a: { anyOf: [{ const: 1 }, { $ref: '#/$defs/a' }] } },
            additionalProperties: false,
          },
        }),
      ],
    ],
    [
      'names as tool servers build them',
      [tool({ name: 'mcp__files.v2:read/all-now' }), tool({ name: 'x'.repeat(128) })],
    ],
    ['names of object members', [tool({ name: 'constructor' }), tool({ name: '__proto__' })]],
    ['1024 tools', Array.from({ length: 1024 }, (_, index) => tool({ name: `f${index}` }))],
    ['unknown fields', [{ ...read, cache_control: { type: 'ephemeral' } }]],
  ])('accepts %s', (_what, tools) => {
    expect(toChatTools(tools)).toEqual({ definitions: tools, custom: new Set(), unsupported: [] });
  });

  it('makes a function of a custom tool, and leaves out what a provider would run', () => {
    const grammar = { syntax: 'regex', definition: '^a+$' };
    const tools = [
      custom({ description: 'Patches.', format: { type: 'grammar', grammar } }),
      { type: 'web_search' },
      read,
    ];
    const { definitions, ...rest } = toChatTools(tools);
    expect(rest).toEqual({ custom: new Set(['patch']), unsupported: ['web_search'] });
    expect(definitions).toEqual([
      {
        type: 'function',
        function: {
          name: 'patch',
          description: 'Patches.',
          parameters: {
            type: 'object',
            properties: {
              input: { type: 'string', description: expect.stringMatching(/this regular.*\n\^a\+\$$/) },
            },
            required: ['input'],
            additionalProperties: false,
          },
        },
      },
      read,
    ]);
  });

  it('takes a function whose definition stands beside its type', () => {
    const definition = { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true };
    expect(toChatTools([{ type: 'function', ...definition }]).definitions).toEqual([
      { type: 'function', function: definition },
    ]);
  });

  const badName = 'must be 1 to 128 letters, digits, or any of _ - . : /';

  it.each<[tools: unknown, param: string, problem: string]>([
    [{}, 'tools', 'must be an array'],
    ['read', 'tools', 'must be an array'],
    [Array.from({ length: 1025 }, () => read), 'tools', 'must hold at most 1024 tools'],
    [[null], 'tools[0]', 'must be an object'],
    [[[]], 'tools[0]', 'must be an object'],
    [[{ function: { name: 'f' } }], 'tools[0].type', 'must be a string, such as "function"'],
    [[{ type: 'custom' }], 'tools[0].custom', 'must be an object'],
    [[custom({ name: 'a b' })], 'tools[0].custom.name', badName],
    [[custom({ name: 'read' }), read], 'tools[1].function.name', 'repeats the name read'],
    [[custom({ format: { type: 'x' } })], 'tools[0].custom.format', 'must have the type text or grammar'],
    [
      [custom({ format: { type: 'grammar', grammar: { syntax: 'lark' } } })],
      'tools[0].custom.format.grammar.definition',
      'must be a string',
    ],
    [[{ type: 'function', description: 'f' }], 'tools[0].function', 'must be an object'],
    [[{ type: 'function', name: 'a b' }], 'tools[0].name', badName],
    [
      [{ type: 'function', name: 'f', parameters: [] }],
      'tools[0].parameters',
      'must be a JSON Schema object',
    ],
    [[{ type: 'function', name: 'f', function: [] }], 'tools[0].function', 'must be an object'],
    [[{ type: 'function', function: [] }], 'tools[0].function', 'must be an object'],
    [[tool({ name: undefined })], 'tools[0].function.name', badName],
    [[tool({ name: '' })], 'tools[0].function.name', badName],
    [[tool({ name: 'a b' })], 'tools[0].function.name', badName],
    [[tool({ name: 'a\n' })], 'tools[0].function.name', badName],
    [[tool({ name: 'a>b' })], 'tools[0].function.name', badName],
    [[tool({ name: 'x'.repeat(129) })], 'tools[0].function.name', badName],
    [[read, read], 'tools[1].function.name', 'repeats the name read'],
    [[tool({ description: 1 })], 'tools[0].function.description', 'must be a string'],
    [[tool({ parameters: [] })], 'tools[0].function.parameters', 'must be a JSON Schema object'],
    [[tool({ parameters: '{}' })], 'tools[0].function.parameters', 'must be a JSON Schema object'],
    [[tool({ strict: 'yes' })], 'tools[0].function.strict', 'must be a boolean'],
  ])('refuses %j', (tools, param, problem) => {
    expect(refusal(() => toChatTools(tools))).toEqual({ param, message: `${param} ${problem}.` });
  });
});

// Cursor sends tools and choices of the other formats to this one.
describe('tools in the forms of other formats', () => {
  it('reads a custom tool with its members beside its type', () => {
    const grammar = { syntax: 'lark', definition: 'start: X' };
    const flat = { type: 'custom', name: 'patch', description: 'D', format: { type: 'grammar', ...grammar } };
    const nested = custom({ description: 'D', format: { type: 'grammar', grammar } });
    expect(toChatTools([flat])).toEqual(toChatTools([nested]));
    expect(refusal(() => toChatTools([{ ...flat, format: 5 }])).param).toBe('tools[0].format');
  });

  it('reads a function with an input_schema', () => {
    const tool = { name: 'read', description: 'Reads.', input_schema: parameters };
    expect(toChatTools([tool])).toEqual({ definitions: [read], custom: new Set(), unsupported: [] });
    expect(toChatTools([{ type: 'custom', ...tool }])).toEqual(toChatTools([tool]));
    expect(refusal(() => toChatTools([{ ...tool, name: '' }])).param).toBe('tools[0].name');
    expect(refusal(() => toChatTools([{ ...tool, input_schema: 'x' }])).param).toBe('tools[0].type');
  });

  it.each<[object, unknown]>([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'none' }, 'none'],
    [{ type: 'any' }, 'required'],
    [
      { type: 'tool', name: 'read' },
      { type: 'function', function: { name: 'read' } },
    ],
  ])('reads the choice %j', (choice, expected) => {
    expect(readToolChoice(choice, [read])).toEqual({ tools: [read], choice: expected });
  });

  it.each([
    [{ type: 'any' }, [], 'tool_choice'],
    [{ type: 'tool', name: 'write' }, [read], 'tool_choice.name'],
  ])('refuses the choice %j', (choice, tools, param) => {
    expect(refusal(() => readToolChoice(choice, tools)).param).toBe(param);
  });
});

describe('readToolChoice', () => {
  it.each<[unknown, unknown]>([
    [undefined, 'auto'],
    [null, 'auto'],
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    ['any', 'required'],
    [
      { type: 'function', name: 'read' },
      { type: 'function', function: { name: 'read' } },
    ],
    [
      { type: 'function', function: { name: 'read', extra: 1 }, extra: 2 },
      { type: 'function', function: { name: 'read' } },
    ],
    [
      { type: 'custom', custom: { name: 'read' } },
      { type: 'function', function: { name: 'read' } },
    ],
  ])('accepts %j', (value, choice) => {
    expect(readToolChoice(value, [read])).toEqual({ tools: [read], choice });
  });

  it.each(['auto', 'none'])('accepts "%s" without tools', (value) => {
    expect(readToolChoice(value, [])).toEqual({ tools: [], choice: value });
  });

  const write = { ...read, function: { ...read.function, name: 'write' } };
  const only = (mode: string, ...names: string[]): object => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
  });

  it.each([
    [only('auto', 'write'), [write], 'auto'],
    [only('required', 'write', 'read'), [read, write], 'required'],
    [only('auto'), [], 'auto'],
    [
      {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: [{ type: 'custom', custom: { name: 'write' } }, { type: 'web_search' }],
        },
      },
      [write],
      'auto',
    ],
  ])('offers no other tools than %j', (value, tools, choice) => {
    expect(readToolChoice(value, [read, write])).toEqual({ tools, choice });
  });

  const allowed = 'tool_choice.allowed_tools';

  it.each<[value: object, param: string, problem: string]>([
    [{ type: 'allowed_tools' }, allowed, 'must be an object'],
    [only('any', 'read'), `${allowed}.mode`, 'must be auto or required'],
    [only('required'), `${allowed}.mode`, 'must not be "required" without tools that the model can call'],
    [
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: {} } },
      `${allowed}.tools`,
      'must be an array',
    ],
    [
      only('auto', 'read', 'grep'),
      `${allowed}.tools[1].function.name`,
      'must be the name of one of the tools',
    ],
  ])('refuses %j', (value, param, problem) => {
    expect(refusal(() => readToolChoice(value, [read]))).toEqual({
      param,
      message: `${param} ${problem}.`,
    });
  });

  const forms =
    'must be "auto", "none", "required", {"type":"function","function":{"name":…}} or of type allowed_tools';
  const unknownTool = 'must be the name of one of the tools';

  it.each<[value: unknown, param: string, problem: string]>([
    [true, 'tool_choice', forms],
    [['auto'], 'tool_choice', forms],
    [{}, 'tool_choice', forms],
    [{ type: 'tool', function: { name: 'read' } }, 'tool_choice', forms],
    [{ type: 'function', name: 'write' }, 'tool_choice.name', unknownTool],
    [{ type: 'function', name: 5 }, 'tool_choice', forms],
    [{ type: 'function', function: {} }, 'tool_choice.function.name', unknownTool],
    [{ type: 'function', function: { name: 'write' } }, 'tool_choice.function.name', unknownTool],
    [{ type: 'custom', custom: { name: 'write' } }, 'tool_choice.custom.name', unknownTool],
  ])('refuses %j', (value, param, problem) => {
    expect(refusal(() => readToolChoice(value, [read]))).toEqual({
      param,
      message: `${param} ${problem}.`,
    });
  });

  it('refuses "required" without tools', () => {
    expect(refusal(() => readToolChoice('required', []))).toEqual({
      param: 'tool_choice',
      message: 'tool_choice must not be "required" without tools that the model can call.',
    });
  });

  it('reads many allowed tools in linear time', () => {
    const cost = (count: number): number => {
      const tools = Array.from({ length: count }, (_, i) => ({ ...read, function: { name: `f${i}` } }));
      const choice = only('auto', ...tools.map(({ function: { name } }) => name));
      return cpuMs(() => expect(readToolChoice(choice, tools).tools).toHaveLength(count));
    };
    expectCostRatio({ small: () => cost(2000), large: () => cost(8000) }, 8);
  });
});
