import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { type ToolOffer } from './tool-offer.js';
import { toolContract, toolReminder } from './tool-prompt.js';

function tool(name: string, properties: object, required?: string[], description?: string): ToolDefinition {
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required } },
  };
}

const string = { type: 'string' };
const list = tool(
  'list',
  { folder: string, depth: { type: 'integer' } },
  ['folder', 'depth'],
  'Lists\na folder.',
);
const write = tool('write_file', { path: string, content: string }, ['path', 'content']);

function offer(definitions: ToolDefinition[], fields: Partial<ToolOffer> = {}): ToolOffer {
  return { definitions, choice: 'auto', parallel: true, ...fields };
}

/** The examples at the end of a contract. */
function example(...tools: ToolDefinition[]): string {
  const contract = toolContract(offer(tools)) ?? '';
  return contract.slice(contract.lastIndexOf('\n\nAn example')).trim();
}

describe('toolContract', () => {
  it('describes the tools and the form of calls, with examples of the tools', () => {
    expect(toolContract(offer([list, write]))).toBe(`# Tools

You can call these tools. Each line describes one; "parameters" is the JSON Schema of its arguments.

<tool_definitions>
{"name":"list","description":"Lists\\na folder.","parameters":{"type":"object","properties":{"folder":{"type":"string"},"depth":{"type":"integer"}},"required":["folder","depth"]}}
{"name":"write_file","parameters":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}}
</tool_definitions>

A call is written like this, with NAME being the tool and one parameter tag for each argument:

<tool_call>
<function=NAME>
<parameter=KEY>value</parameter>
</function>
</tool_call>

- Give every required parameter, and optional ones only where they say something.
- Write values raw. Text stands between the tags exactly as it is meant, character by character, over as many lines as it has: no quotes around it, nothing escaped, no code fence. If a value begins on a line of its own, the line break before its closing tag does not belong to it. Numbers, true, false, null, lists and objects are written as JSON.
- You may write text before a call. Calls that do not need the results of one another may follow directly one after the other.
- Stop after the last call: the next message brings the result as <tool_response>. Never write a <tool_response> yourself, and never claim a result that you have not been given.
- A call inside a code fence or inline code is shown to the user and not carried out.

An example of a message with two calls, with made-up values:

<tool_call>
<function=write_file>
<parameter=path>src/example.ts</parameter>
<parameter=content>if (a < b && name !== "x") {
  run(a);
}
</parameter>
</function>
</tool_call>
<tool_call>
<function=list>
<parameter=folder>src/parts</parameter>
<parameter=depth>10</parameter>
</function>
</tool_call>`);
  });

  it('asks for at most one call without parallel calls', () => {
    const contract = toolContract(offer([list, write], { parallel: false })) ?? '';
    expect(contract).toContain('Make at most one call in a message.');
    expect(contract).toContain('Stop after the call:');
    expect(contract).toContain('Two examples of the form');
    expect(contract).not.toContain('one after the other');
  });

  it('is undefined if no tool can be called', () => {
    expect(toolContract(offer([]))).toBeUndefined();
    expect(toolContract(offer([list], { choice: 'none' }))).toBeUndefined();
  });

  it('does not depend on the choice', () => {
    const choices: ToolOffer['choice'][] = [
      'auto',
      'required',
      { type: 'function', function: { name: 'list' } },
    ];
    const contracts = choices.map((choice) => toolContract(offer([list, write], { choice })));
    expect(new Set(contracts).size).toBe(1);
  });

  it('shows an edit that changes something', () => {
    const edit = tool('edit', { file_path: string, old_string: string, new_string: string }, [
      'file_path',
      'old_string',
      'new_string',
    ]);
    expect(example(edit)).toContain(`<function=edit>
<parameter=file_path>src/example.ts</parameter>
<parameter=old_string>if (a < b && name !== "x") {
  run(a);
}
</parameter>
<parameter=new_string>if (a < b && name !== "x") {
  run(a, b);
}
</parameter>
</function>`);
    const edits = {
      type: 'array',
      items: { properties: { oldText: string, newText: string }, required: ['oldText', 'newText'] },
    };
    const shown = example(tool('edit', { edits }, ['edits']));
    const [{ oldText, newText } = {}] = JSON.parse(
      /<parameter=edits>(.*)<\/parameter>/.exec(shown)?.[1] ?? '[]',
    ) as Record<string, string>[];
    expect([typeof oldText, oldText === newText]).toEqual(['string', false]);
  });

  it('shows an empty schema for a tool without parameters', () => {
    const bare: ToolDefinition = {
      type: 'function',
      function: { name: 'now', description: null, parameters: null },
    };
    const contract = toolContract(offer([bare])) ?? '';
    expect(contract).toContain('\n{"name":"now","parameters":{"type":"object","properties":{}}}\n');
    expect(example(bare)).toBe(
      'An example of the form, with made-up values:\n\n<tool_call>\n<function=now>\n\n</function>\n</tool_call>',
    );
  });

  it('fills examples by kind, listed values, format and name', () => {
    const properties = {
      mode: { enum: ['fast', 'slow'] },
      count: { type: 'integer', minimum: 3 },
      ratio: { type: 'number' },
      all: { type: 'boolean' },
      tags: { type: 'array', items: string },
      range: { $ref: '#/$defs/range' },
      note: { anyOf: [{ type: 'null' }, string] },
      day: { type: 'string', format: 'date' },
      nothing: { type: 'null' },
    };
    const range = { properties: { from: { type: 'integer' }, to: { type: 'integer' } }, required: ['from'] };
    const parameters = { type: 'object', properties, required: Object.keys(properties), $defs: { range } };
    expect(example({ type: 'function', function: { name: 'f', parameters } })).toContain(`
<parameter=mode>fast</parameter>
<parameter=count>3</parameter>
<parameter=ratio>1.5</parameter>
<parameter=all>true</parameter>
<parameter=tags>["some text"]</parameter>
<parameter=range>{"from":10}</parameter>
<parameter=note>some text</parameter>
<parameter=day>2025-01-31</parameter>
<parameter=nothing>null</parameter>
`);
  });

  it('shows an example for a schema that refers to itself', () => {
    const parameters = { type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] };
    expect(example({ type: 'function', function: { name: 'f', parameters } })).toContain(
      '<parameter=child>{"child":{"child":{"child":{}}}}</parameter>',
    );
  });

  it('limits the arguments of an example and their members', () => {
    const names = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const self = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
    const shown = example(tool('f', self, names));
    expect(shown.match(/<parameter=/g)).toHaveLength(32);
    const first = JSON.parse(/<parameter=k0>(.*)<\/parameter>/.exec(shown)?.[1] ?? '') as { k0: object };
    expect([first, first.k0].map(Object.keys)).toEqual([names.slice(0, 4), names.slice(0, 4)]);
  });

  it('describes 1,024 tools in linear time', async () => {
    const tools = Array.from({ length: 1024 }, (_, index) =>
      tool(
        `tool_${index}`,
        { path: string, more: { type: 'array', items: string } },
        ['path'],
        'x'.repeat(1000),
      ),
    );
    const costMs = cpuMs(() => expect(toolContract(offer(tools))?.length).toBeGreaterThan(1024 * 1000));
    await cpuPace.expectWithin(costMs, 5000);
  });
});

describe('toolReminder', () => {
  const named = { type: 'function', function: { name: 'list' } } as const;
  const form = 'the call exactly in the form given above, from <tool_call> to </tool_call>.';

  it.each<[Partial<ToolOffer>, string]>([
    [{}, `To call a tool, end the message with ${form}`],
    [{ parallel: false }, `To call a tool, end the message with ${form} Make one call only.`],
    [{ choice: 'required' }, `This message must call a tool: end it with ${form}`],
    [{ choice: named }, `This message must call the tool list: end it with ${form}`],
  ])('says what %j requires', (fields, reminder) => {
    expect(toolReminder(offer([list], fields), false)).toBe(reminder);
  });

  it('forbids calls only in a conversation with calls', () => {
    expect(toolReminder(offer([list], { choice: 'none' }), false)).toBeUndefined();
    expect(toolReminder(offer([]), false)).toBeUndefined();
    expect(toolReminder(offer([list], { choice: 'none' }), true)).toMatch(/^No tool can be called/);
    expect(toolReminder(offer([]), true)).toMatch(/^No tool can be called/);
  });
});
