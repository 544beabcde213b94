import { describe, expect, it } from '@jest/globals';
import { validateInput } from './input-items.validator.js';
import { addedTools, flatTool, functionName, readTools } from './response-tools.js';
import { chooseTools } from './tool-choice.js';

const read = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  parameters: { type: 'object' },
  strict: false,
};
const patch = { type: 'custom', name: 'patch', description: 'Patches.' };
const crm = {
  type: 'namespace',
  name: 'crm',
  description: 'Customers.',
  tools: [
    { type: 'function', name: 'find', description: 'Finds.', defer_loading: true },
    { type: 'function', name: 'read', parameters: null },
  ],
};
const search = { type: 'web_search' };

const inputOf = (format?: unknown): unknown => {
  const [{ function: found }] = readTools([{ ...patch, ...(format !== undefined && { format }) }])
    .definitions as unknown as [{ function: { parameters: { properties: { input: unknown } } } }];
  return found.parameters.properties.input;
};

describe('readTools', () => {
  it('reads functions, custom tools and namespaces, and leaves the tools of servers out', () => {
    expect(readTools([read, patch, crm, search, { type: 'web_search' }, { type: 'mcp' }])).toEqual({
      definitions: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads.', parameters: { type: 'object' }, strict: false },
        },
        {
          type: 'function',
          function: {
            name: 'patch',
            description: 'Patches.',
            parameters: {
              type: 'object',
              properties: { input: { type: 'string', description: 'Free text.' } },
              required: ['input'],
              additionalProperties: false,
            },
          },
        },
        { type: 'function', function: { name: 'crm__find', description: 'Customers.\n\nFinds.' } },
        { type: 'function', function: { name: 'crm__read' } },
      ],
      origins: new Map([
        ['read', { kind: 'function', name: 'read' }],
        ['patch', { kind: 'custom', name: 'patch' }],
        ['crm__find', { kind: 'function', name: 'find', namespace: 'crm' }],
        ['crm__read', { kind: 'function', name: 'read', namespace: 'crm' }],
      ]),
      unsupported: ['web_search', 'mcp'],
    });
  });

  const { name, description, parameters, strict } = read;

  it.each<[object, object]>([
    [{ type: 'function', function: { name, description, parameters, strict } }, read],
    [
      { name, description, input_schema: parameters },
      { type: 'function', name, description, parameters },
    ],
  ])('reads %j, which clients of other formats send', (tool, flat) => {
    expect(readTools([tool]).definitions).toEqual(readTools([flat]).definitions);
    expect(flatTool(tool)).toEqual(flat);
  });

  it('reads no tools', () => {
    expect(readTools(null).definitions).toEqual([]);
  });

  it('does not double the separator of a namespace that ends with it', () => {
    expect(functionName('find', 'mcp__crm__')).toBe('mcp__crm__find');
  });

  it.each([
    [undefined, 'Free text.'],
    [{ type: 'text' }, 'Free text.'],
    [
      { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      'Raw text, neither quoted nor wrapped in JSON, that matches this Lark grammar from start to end:\nstart: "a"',
    ],
    [
      { type: 'grammar', syntax: 'regex', definition: '^a+$' },
      'Raw text, neither quoted nor wrapped in JSON, that matches this regular expression from start to end:\n^a+$',
    ],
  ])('tells the format %j of a custom tool', (format, description) => {
    expect(inputOf(format)).toEqual({ type: 'string', description });
  });

  it.each<[tools: unknown, message: string]>([
    ['all', 'tools must be an array.'],
    [[5], 'tools[0] must be an object.'],
    [[{}], 'tools[0].type must be a string.'],
    [
      [{ type: 'function', name: 'a b' }],
      'tools[0].name must be 1 to 128 letters, digits, or any of _ - . : /.',
    ],
    [[read, read], 'tools[1].name repeats the name read.'],
    [[{ ...read, description: 5 }], 'tools[0].description must be a string.'],
    [[{ ...read, parameters: 'x' }], 'tools[0].parameters must be a JSON Schema object.'],
    [[{ ...read, strict: 1 }], 'tools[0].strict must be a boolean.'],
    [[{ ...patch, format: { type: 'x' } }], 'tools[0].format must have the type text or grammar.'],
    [[{ ...patch, format: { type: 'grammar' } }], 'tools[0].format.syntax must be lark or regex.'],
    [
      [{ ...patch, format: { type: 'grammar', syntax: 'lark' } }],
      'tools[0].format.definition must be a string.',
    ],
    [[{ type: 'namespace', tools: [] }], 'tools[0].name must be a non-empty string.'],
    [[{ ...crm, tools: {} }], 'tools[0].tools must be an array.'],
    [[{ ...crm, tools: [search] }], 'tools[0].tools[0].type must be "function" or "custom".'],
    [[crm, { type: 'function', name: 'crm__find' }], 'tools[1].name repeats the name crm__find.'],
  ])('refuses %j', (tools, message) => {
    expect(() => readTools(tools)).toThrow(message);
  });
});

describe('a search for tools', () => {
  const parameters = { type: 'object', properties: { query: { type: 'string' } } };
  const find = { type: 'tool_search', execution: 'client', description: 'Searches.', parameters };

  it('is offered if the caller runs it', () => {
    const { definitions, origins, unsupported } = readTools([find]);
    expect(definitions).toEqual([
      { type: 'function', function: { name: 'tool_search', description: 'Searches.', parameters } },
    ]);
    expect(origins).toEqual(new Map([['tool_search', { kind: 'tool_search', name: 'tool_search' }]]));
    expect(unsupported).toEqual([]);
  });

  it.each([{}, { execution: 'server' }, { execution: 'client', parameters: null }])(
    'is left out with %j',
    (fields) => {
      const { definitions, unsupported } = readTools([{ type: 'tool_search', parameters, ...fields }]);
      expect([definitions, unsupported]).toEqual([[], ['tool_search']]);
    },
  );
});

describe('built-in tools', () => {
  it.each<[kind: string, required: string[]]>([
    ['apply_patch', ['type', 'path']],
    ['local_shell', ['command']],
    ['shell', ['commands']],
  ])('offers %s as a function', (type, required) => {
    const { definitions, origins, unsupported } = readTools([{ type }, read]);
    expect(definitions.map(({ function: { name } }) => name)).toEqual([type, 'read']);
    expect(definitions[0]!.function.parameters).toMatchObject({ type: 'object', required });
    expect(origins.get(type)).toEqual({ kind: type, name: type });
    expect(unsupported).toEqual([]);
  });

  it.each([
    ['local', []],
    ['container_auto', ['shell']],
    ['container_reference', ['shell']],
  ])('runs no shell of the environment %s', (environment, left) => {
    expect(readTools([{ type: 'shell', environment: { type: environment } }]).unsupported).toEqual(left);
  });

  it('has them forced by their types', () => {
    const tools = readTools([{ type: 'shell' }, read]);
    expect(chooseTools({ type: 'shell' }, tools).choice).toEqual({
      type: 'function',
      function: { name: 'shell' },
    });
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'shell' }] };
    expect(chooseTools(allowed, tools).tools.map(({ function: { name } }) => name)).toEqual(['shell']);
    expect(() => chooseTools({ type: 'local_shell' }, tools)).toThrow('does not run');
  });
});

describe('tools of items', () => {
  // As Codex 0.169 sends all its tools with its own models.
  const item = (...tools: object[]): object => ({
    type: 'additional_tools',
    id: 'at_1',
    role: 'developer',
    tools: [{ type: 'namespace', name: 'functions', description: '', tools }],
  });
  const exec = { type: 'custom', name: 'exec', description: 'Runs.' };
  const ask = { role: 'user', content: 'Hi' };
  const names = (previous: object[], input: object[], tools?: object[]): readonly string[] => {
    const before = previous.length === 0 ? [] : validateInput(previous);
    const { definitions } = readTools(tools, addedTools(before, validateInput(input)));
    return definitions.map(({ function: { name, description } }) => `${name}: ${description}`);
  };

  it('offers those of this request and of the responses before', () => {
    const found = { type: 'tool_search_output', execution: 'server', call_id: null, tools: [crm] };
    expect(names([item(exec)], [item(read), found, ask], [patch])).toEqual([
      'patch: Patches.',
      'functions__exec: Runs.',
      'functions__read: Reads.',
      'crm__find: Customers.\n\nFinds.',
      'crm__read: undefined',
    ]);
  });

  it('takes the later one of two with the same name', () => {
    expect(names([item(exec)], [item({ ...exec, description: 'Runs it.' }), ask])).toEqual([
      'functions__exec: Runs it.',
    ]);
  });

  it.each<[tools: unknown, message: string]>([
    [undefined, 'input[1].tools must be an array.'],
    [[{ type: 'function', name: 5 }], 'input[1].tools[0].name must be 1 to 128'],
    [[read, read], 'input[1].tools[1].name repeats the name read.'],
  ])('refuses %j', (tools, message) => {
    const input = validateInput([ask, { type: 'additional_tools', role: 'developer', tools }]);
    expect(() => readTools(undefined, addedTools([], input))).toThrow(message);
  });

  it('bounds their number', () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ ...read, name: `t${index}` }));
    const more = many.map((tool) => ({ ...tool, name: `${tool.name}b` }));
    expect(() => names([], [ask, { type: 'additional_tools', tools: more }], many)).toThrow(
      'input[1].tools must hold at most 1024 tools.',
    );
  });
});

describe('chooseTools', () => {
  const tools = readTools([read, patch, crm, search]);
  const choice = (value: unknown): unknown => chooseTools(value, tools).choice;
  const named = (name: string): object => ({ type: 'function', function: { name } });

  it.each([
    [undefined, 'auto'],
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    ['any', 'required'],
    [{ type: 'function', name: 'read' }, named('read')],
    [{ type: 'function', name: 'find', namespace: 'crm' }, named('crm__find')],
    [{ type: 'custom', name: 'patch' }, named('patch')],
    [{ type: 'function', function: { name: 'read' } }, named('read')],
    [{ type: 'tool', name: 'read' }, named('read')],
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
  ])('reads %j', (value, expected) => {
    expect(choice(value)).toEqual(expected);
  });

  it.each(['auto', 'required'])('offers the allowed tools alone, with the mode %s', (mode) => {
    const chosen = chooseTools(
      { type: 'allowed_tools', mode, tools: [{ type: 'custom', name: 'patch' }, search] },
      tools,
    );
    expect([chosen.choice, chosen.tools.map((tool) => tool.function.name)]).toEqual([mode, ['patch']]);
  });

  it.each<[value: unknown, message: string]>([
    ['all', 'tool_choice must be "auto", "none", "required" or an object with a type.'],
    [{}, 'tool_choice must be "auto", "none", "required" or an object with a type.'],
    [{ type: 'function', name: 'write' }, 'tool_choice.name must be the name of one of the tools.'],
    [{ type: 'web_search' }, 'tool_choice.type forces the tool web_search, which this gateway does not run.'],
    [{ type: 'allowed_tools', tools: [] }, 'tool_choice.mode must be auto or required.'],
    [{ type: 'allowed_tools', mode: 'auto' }, 'tool_choice.tools must be an array.'],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'x' }] },
      'tool_choice.tools[0].name must be the name of one of the tools.',
    ],
    [
      { type: 'allowed_tools', mode: 'required', tools: [search] },
      'tool_choice.mode must not be "required" without tools that the model can call.',
    ],
  ])('refuses %j', (value, message) => {
    expect(() => choice(value)).toThrow(message);
  });

  it('refuses to require a call where all tools were left out', () => {
    expect(() => chooseTools('required', readTools([search]))).toThrow(/without tools/);
  });
});
