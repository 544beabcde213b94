import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { readToolChoice, validateTools } from './tools.validator.js';

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const read: ToolDefinition = {
  type: 'function',
  function: { name: 'read', description: 'Reads.', parameters },
};
const tool = (fields: object): object => ({ type: 'function', function: { name: 'f', ...fields } });

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

describe('validateTools', () => {
  it.each([undefined, null])('reads %s as no tools', (value) => {
    expect(validateTools(value)).toEqual([]);
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
    expect(validateTools(tools)).toBe(tools);
  });

  const badName = 'must be 1 to 128 letters, digits, or any of _ - . : /';

  it.each<[tools: unknown, param: string, problem: string]>([
    [{}, 'tools', 'must be an array'],
    ['read', 'tools', 'must be an array'],
    [Array.from({ length: 1025 }, () => read), 'tools', 'must hold at most 1024 tools'],
    [[null], 'tools[0]', 'must be an object'],
    [[[]], 'tools[0]', 'must be an object'],
    [[{ function: { name: 'f' } }], 'tools[0].type', 'must be "function"'],
    [[read, { type: 'web_search' }], 'tools[1].type', 'must be "function"'],
    [[{ type: 'function', name: 'f' }], 'tools[0].function', 'must be an object'],
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
    expect(refusal(() => validateTools(tools))).toEqual({ param, message: `${param} ${problem}.` });
  });
});

describe('readToolChoice', () => {
  it.each<[unknown, unknown]>([
    [undefined, 'auto'],
    [null, 'auto'],
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [
      { type: 'function', function: { name: 'read', extra: 1 }, extra: 2 },
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
  ])('offers no other tools than %j', (value, tools, choice) => {
    expect(readToolChoice(value, [read, write])).toEqual({ tools, choice });
  });

  const allowed = 'tool_choice.allowed_tools';

  it.each<[value: object, param: string, problem: string]>([
    [{ type: 'allowed_tools' }, allowed, 'must be an object'],
    [only('any', 'read'), `${allowed}.mode`, 'must be auto or required'],
    [only('required'), `${allowed}.mode`, 'must not be "required" without tools'],
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
    ['any', 'tool_choice', forms],
    [true, 'tool_choice', forms],
    [['auto'], 'tool_choice', forms],
    [{}, 'tool_choice', forms],
    [{ type: 'tool', function: { name: 'read' } }, 'tool_choice', forms],
    [{ type: 'function', name: 'read' }, 'tool_choice', forms],
    [{ type: 'function', function: {} }, 'tool_choice.function.name', unknownTool],
    [{ type: 'function', function: { name: 'write' } }, 'tool_choice.function.name', unknownTool],
  ])('refuses %j', (value, param, problem) => {
    expect(refusal(() => readToolChoice(value, [read]))).toEqual({
      param,
      message: `${param} ${problem}.`,
    });
  });

  it('refuses "required" without tools', () => {
    expect(refusal(() => readToolChoice('required', []))).toEqual({
      param: 'tool_choice',
      message: 'tool_choice must not be "required" without tools.',
    });
  });

  it('reads many allowed tools in linear time', () => {
    const cost = (count: number): number => {
      const tools = Array.from({ length: count }, (_, i) => ({ ...read, function: { name: `f${i}` } }));
      const choice = only('auto', ...tools.map(({ function: { name } }) => name));
      return cpuMs(() => expect(readToolChoice(choice, tools).tools).toHaveLength(count));
    };
    cost(500);
    expect(cost(8000) / (cost(2000) + 5)).toBeLessThan(8);
  });
});
