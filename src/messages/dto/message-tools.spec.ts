import { describe, expect, it } from '@jest/globals';
import { type MessageTools, toMessageToolChoice, toMessageTools } from './message-tools.js';
import { toolChanges } from './tool-changes.js';

const READ = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } };
const SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };

// Tools: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
describe('toMessageTools', () => {
  it('takes tools with a schema, and leaves those of the provider out', () => {
    const tools = [
      { ...READ, cache_control: { type: 'ephemeral' }, defer_loading: true },
      { type: 'custom', name: 'mcp__x__write', strict: true, input_schema: {} },
      SEARCH,
      { type: 'mcp_toolset', mcp_server_name: 'x' },
    ];
    expect(toMessageTools(tools)).toEqual({
      definitions: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } },
        },
        { type: 'function', function: { name: 'mcp__x__write', strict: true, parameters: {} } },
      ],
      unsupported: [{ type: 'web_search_20250305', name: 'web_search' }, { type: 'mcp_toolset' }],
    });
    expect(toMessageTools(null)).toEqual({ definitions: [], unsupported: [] });
  });

  it('tells of tools that the caller runs, and only models of a provider know', () => {
    const types = ['bash_20250124', 'text_editor_20250124', 'text_editor_20250728', 'memory_20250818'];
    const { definitions, unsupported } = toMessageTools([
      ...types.map((type) => ({ type, name: type.split('_2')[0] + type.slice(-4) })),
      { type: 'computer_20250124', name: 'computer', display_width_px: 9, display_height_px: 9 },
      { type: 'bash_code_execution', name: 'remote' },
    ]);
    const members = definitions.map(({ function: { name, description, parameters } }) => {
      const { properties, required } = parameters as { properties: object; required?: readonly string[] };
      return [name, typeof description, Object.keys(properties).sort().join(' '), required];
    });
    const file = 'command file_text insert_line';
    expect(members).toEqual([
      ['bash0124', 'string', 'command restart', undefined],
      ['text_editor0124', 'string', `${file} new_str old_str path view_range`, ['command', 'path']],
      [
        'text_editor0728',
        'string',
        `${file} insert_text new_str old_str path view_range`,
        ['command', 'path'],
      ],
      [
        'memory0818',
        'string',
        `${file} insert_text new_path new_str old_path old_str path view_range`,
        ['command'],
      ],
    ]);
    const commands = definitions
      .slice(1, 3)
      .map(({ function: { parameters } }) => JSON.stringify(parameters).includes('undo_edit'));
    expect(commands).toEqual([true, false]);
    expect(unsupported.map(({ type }) => type)).toEqual(['computer_20250124', 'bash_code_execution']);
  });

  it('reads functions in the form of the other formats', () => {
    const definition = { name: 'read', description: 'Reads.', strict: true, parameters: {} };
    const expected = { definitions: [{ type: 'function', function: definition }], unsupported: [] };
    expect(toMessageTools([{ type: 'function', function: definition }])).toEqual(expected);
    expect(toMessageTools([{ type: 'function', ...definition }])).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [{}, 'tools'],
    [[READ, { type: 'function', function: { name: 'read' } }], 'tools[1].function.name'],
    [[{ type: 'function' }], 'tools[0].function'],
    [Array.from({ length: 1025 }, () => READ), 'tools'],
    [[5], 'tools[0]'],
    [[{ ...READ, type: 5 }], 'tools[0].type'],
    [[{ type: 'bash_20250124' }], 'tools[0].name'],
    [[{ ...READ, name: 'a b' }], 'tools[0].name'],
    [[READ, READ], 'tools[1].name'],
    [[{ ...READ, description: 5 }], 'tools[0].description'],
    [[{ name: 'read' }], 'tools[0].input_schema'],
    [[{ ...READ, strict: 1 }], 'tools[0].strict'],
  ])('refuses %j by the name %s', (tools, param) => {
    expect(() => toMessageTools(tools)).toThrow(expect.objectContaining({ param }));
  });
});

describe('changes of the tools within a conversation', () => {
  const reference = (name: string): object => ({ type: 'tool_reference', name });
  const added = (tool: object): object => ({ type: 'tool_addition', tool });
  const defined = (definition: unknown): object => added({ type: 'tool_definition', definition });
  const removed = (name: string): object => ({ type: 'tool_removal', tool: reference(name) });
  const LIST = { name: 'list', description: 'Lists.', input_schema: {} };
  const said = (...content: object[]): object => ({ role: 'system', content });

  const read = (...messages: object[]): MessageTools =>
    toMessageTools([READ], toolChanges([{ type: 'text', text: 'Hi' }], messages));
  const offered = (...messages: object[]): readonly unknown[] =>
    read(...messages).definitions.map(({ function: { name, description } }) => [name, description]);

  it('offers what is added, and no longer what is removed', () => {
    expect(offered(said(defined(LIST)), { role: 'user', content: 'Hi' })).toEqual([
      ['read', 'Reads.'],
      ['list', 'Lists.'],
    ]);
    expect(offered(said(defined(LIST), removed('read')))).toEqual([['list', 'Lists.']]);
    expect(offered(said(removed('read')), said(added(reference('read'))))).toEqual([['read', 'Reads.']]);
    expect(offered({ role: 'user', content: [removed('read')] })).toEqual([]);
  });

  it('takes the later one of two definitions', () => {
    expect(offered(said(removed('read')), said(defined({ ...READ, description: 'Again.' })))).toEqual([
      ['read', 'Again.'],
    ]);
  });

  it('takes the changes of a summary for those before it', () => {
    const summary = { type: 'compaction', content: 'S', tool_changes: [defined(LIST)] };
    const messages = [said(removed('read')), { role: 'assistant', content: [summary] }];
    expect(offered(...messages)).toEqual([
      ['read', 'Reads.'],
      ['list', 'Lists.'],
    ]);
    expect(offered(...messages, said(removed('list')))).toEqual([['read', 'Reads.']]);
  });

  it('keeps the changes before a summary that failed', () => {
    const failed = { type: 'compaction', content: null, tool_changes: [] };
    expect(offered(said(defined(LIST)), { role: 'assistant', content: [failed] })).toEqual([
      ['read', 'Reads.'],
      ['list', 'Lists.'],
    ]);
  });

  it('leaves out added tools of a provider, and knows no others', () => {
    const unknown = added({ type: 'mcp_toolset_reference', server_name: 'x' });
    const { definitions, unsupported } = read(said(defined(SEARCH), unknown, removed('write')));
    expect([definitions.length, unsupported]).toEqual([
      1,
      [{ type: 'web_search_20250305', name: 'web_search' }],
    ]);
  });

  it.each<[unknown, string]>([
    [5, 'messages[1].content[0].tool.definition'],
    [{ ...LIST, name: 'a b' }, 'messages[1].content[0].tool.definition.name'],
  ])('refuses %j by the name %s', (definition, param) => {
    expect(() => read(said(), said(defined(definition)))).toThrow(expect.objectContaining({ param }));
  });

  it('bounds their number', () => {
    const many = Array.from({ length: 1024 }, (_, index) => defined({ ...LIST, name: `t${index}` }));
    expect(() => read(said(...many))).toThrow(/must not be more than 1024 tools/);
  });
});

describe('toMessageToolChoice', () => {
  const tools = toMessageTools([READ, SEARCH]);

  it.each<[unknown, unknown]>([
    [undefined, { choice: 'auto', isParallel: true }],
    [{ type: 'auto' }, { choice: 'auto', isParallel: true }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { choice: 'auto', isParallel: false },
    ],
    [{ type: 'none' }, { choice: 'none', isParallel: true }],
    [
      { type: 'any', disable_parallel_tool_use: false },
      { choice: 'required', isParallel: true },
    ],
    [
      { type: 'tool', name: 'read' },
      { choice: { type: 'function', function: { name: 'read' } }, isParallel: true },
    ],
    ['auto', { choice: 'auto', isParallel: true }],
    ['none', { choice: 'none', isParallel: true }],
    ['required', { choice: 'required', isParallel: true }],
    [
      { type: 'function', function: { name: 'read' } },
      { choice: { type: 'function', function: { name: 'read' } }, isParallel: true },
    ],
  ])('takes %j', (value, expected) => {
    expect(toMessageToolChoice(value, tools)).toEqual(expected);
  });

  it.each<[unknown, string, RegExp]>([
    [5, 'tool_choice', /must be an object/],
    ['maybe', 'tool_choice.type', /must be one of/],
    [{ type: 'maybe' }, 'tool_choice.type', /must be one of/],
    [{ type: 'auto', disable_parallel_tool_use: 1 }, 'tool_choice.disable_parallel_tool_use', /boolean/],
    [{ type: 'tool', name: 'write' }, 'tool_choice.name', /must be the name of one of the tools\.$/],
    [{ type: 'tool', name: 'web_search' }, 'tool_choice.name', /runs no tools of a provider\.$/],
  ])('refuses %j', (value, param, message) => {
    expect(() => toMessageToolChoice(value, tools)).toThrow(
      expect.objectContaining({ param, message: expect.stringMatching(message) }),
    );
  });

  it('refuses to demand a call where no tool is left', () => {
    const demand = { type: 'any' };
    expect(() => toMessageToolChoice(demand, toMessageTools([]))).toThrow(/without tools\.$/);
    expect(() => toMessageToolChoice(demand, toMessageTools([SEARCH]))).toThrow(
      /runs no tools of a provider\.$/,
    );
  });
});
