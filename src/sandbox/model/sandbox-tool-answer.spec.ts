import { describe, expect, it } from '@jest/globals';
import { scriptedCall, toolAnswer } from './sandbox-tool-answer.js';

const string = { type: 'string' };
type Properties = Readonly<Record<string, object>>;

interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: object;
}

function tool(name: string, properties: Properties, required = Object.keys(properties)): Tool {
  return { name, parameters: { type: 'object', properties, required } };
}

const writeFile = tool('write_file', { path: string, content: string });
const readFile = tool('read_file', { path: string });
const shell = tool('run_shell_command', { command: string });

interface Conversation {
  readonly system?: string;
  readonly rounds?: readonly (readonly [tool: string, text: string][])[];
  readonly closing?: string;
}

function prompt(tools: readonly Tool[], message: string, conversation: Conversation = {}): string {
  const { system = 'You help.', rounds = [], closing = 'Write the next message.' } = conversation;
  const said = rounds.map((round) =>
    [
      '<assistant>\n<tool_call>\n</tool_call>\n</assistant>',
      ...round.map(([name, text]) => `<tool_response name="${name}">\n${text}\n</tool_response>`),
    ].join('\n\n'),
  );
  return [
    `<system>\n${system}\n\n# Tools\n\n<tools>\n${tools.map((one) => JSON.stringify(one)).join('\n')}\n</tools>\n</system>`,
    '<user>\nBefore.\n</user>\n\n<tool_response name="old">\nold\n</tool_response>',
    `<user>\n${message}\n</user>`,
    ...said,
    closing,
  ].join('\n\n');
}

function call(name: string, ...parameters: readonly (readonly [string, string])[]): string {
  const body = parameters.map(([key, value]) => `<parameter=${key}>${value}</parameter>\n`).join('');
  return `<tool_call>\n<function=${name}>\n${body}</function>\n</tool_call>`;
}

const REQUEST = 'Create hello.txt with the content "Hi" and read it back.';

describe('toolAnswer', () => {
  it('carries out a chain of wishes, and ends with words', () => {
    const tools = [readFile, writeFile];
    expect(toolAnswer(prompt(tools, REQUEST))).toBe(
      call('write_file', ['content', 'Hi'], ['path', 'hello.txt']),
    );
    const rounds: [string, string][][] = [[['write_file', 'ok']]];
    expect(toolAnswer(prompt(tools, REQUEST, { rounds }))).toBe(call('read_file', ['path', 'hello.txt']));
    rounds.push([['read_file', `Hi\n${'x'.repeat(200)}`]]);
    expect(toolAnswer(prompt(tools, REQUEST, { rounds }))).toBe(
      'Done, as far as the built-in sandbox can: it has called write_file, read_file. ' +
        `The last result begins: “Hi ${'x'.repeat(57)}…”`,
    );
  });

  it.each<[string, Tool, string]>([
    [
      'a name in camel case',
      tool('createFile', { filePath: string, text: string }),
      call('createFile', ['text', 'Hi'], ['filePath', 'hello.txt']),
    ],
    [
      'a bare name',
      tool('Write', { file_path: string, content: string }),
      call('Write', ['content', 'Hi'], ['file_path', 'hello.txt']),
    ],
    [
      'a server in front',
      tool('mcp__fs__write_file', { path: string, contents: string }),
      call('mcp__fs__write_file', ['contents', 'Hi'], ['path', 'hello.txt']),
    ],
    [
      'an action to choose',
      tool('str_replace_editor', {
        command: { enum: ['view', 'create', 'str_replace'] },
        path: string,
        file_text: string,
      }),
      call('str_replace_editor', ['command', 'create'], ['file_text', 'Hi'], ['path', 'hello.txt']),
    ],
    [
      'more that is required',
      tool('fs_write', {
        path: string,
        content: string,
        overwrite: { type: 'boolean' },
        mode: { type: 'integer', minimum: 3 },
        why: string,
        tags: { type: 'array', items: string },
      }),
      call(
        'fs_write',
        ['content', 'Hi'],
        ['path', 'hello.txt'],
        ['overwrite', 'false'],
        ['mode', '3'],
        ['why', 'The sandbox carries out: write.'],
        ['tags', '["The sandbox carries out: write."]'],
      ),
    ],
    ['nothing but a shell', shell, call('run_shell_command', ['command', 'printf %s Hi > hello.txt'])],
    [
      'a shell that takes a list',
      tool('shell', { command: { type: 'array', items: string } }),
      call('shell', ['command', '["bash","-lc","printf %s Hi > hello.txt"]']),
    ],
  ])('writes a file by a tool with %s', (_what, one, expected) => {
    expect(toolAnswer(prompt([tool('other', {}), one], REQUEST))).toBe(expected);
  });

  it('prefers the tool that is meant for it', () => {
    const edit = tool('edit', { path: string, old_string: string, new_string: string });
    const todo = tool('todo_write', { todos: { type: 'array' } });
    const note = tool('create_note', { name: string, text: string, mood: string });
    expect(toolAnswer(prompt([edit, todo, note, shell, writeFile], REQUEST))).toMatch(
      '<function=write_file>',
    );
    expect(toolAnswer(prompt([writeFile, shell], 'List the files'))).toBe(
      call('run_shell_command', ['command', 'ls .']),
    );
    const list = tool('list_directory', { path: string, ignore: string }, ['path']);
    expect(toolAnswer(prompt([readFile, shell, list], 'List the files'))).toBe(
      call('list_directory', ['path', '.']),
    );
    const grep = tool('grep', { pattern: string });
    expect(toolAnswer(prompt([shell, grep], 'Search for "TODO"'))).toBe(call('grep', ['pattern', 'TODO']));
  });

  it('gives absolute paths to tools that want them', () => {
    const one = tool('write_file', {
      file_path: { ...string, description: 'The absolute path.' },
      content: string,
    });
    const system =
      'Run `rm -rf /path/to/x` in the workspace /example. The current working directory is `/tmp/work`, as said.';
    expect(toolAnswer(prompt([one], REQUEST, { system }))).toBe(
      call('write_file', ['content', 'Hi'], ['file_path', '/tmp/work/hello.txt']),
    );
    expect(toolAnswer(prompt([one], 'Create /etc/a.txt', { system }))).toContain('>/etc/a.txt<');
    const other = "The workspace is /path/to/project. I'm currently working in the directory: /srv/me";
    expect(toolAnswer(prompt([one], REQUEST, { system: other }))).toContain('>/srv/me/hello.txt<');
  });

  it.each<[string, Tool, string]>([
    [
      "What's the weather in New York?",
      tool('get_weather', { city: string, unit: { enum: ['C', 'F'] } }, ['city']),
      call('get_weather', ['city', 'New York']),
    ],
    [
      'Forecast for Rome in F please',
      tool('weatherForecast', { place: string, unit: { enum: ['C', 'F'] } }),
      call('weatherForecast', ['place', 'Rome'], ['unit', 'F']),
    ],
    [
      'What is 17 + 25?',
      tool('calculator', { expression: string }),
      call('calculator', ['expression', '17 + 25']),
    ],
    [
      'Add 2 and 3.5',
      tool('add', { a: { type: 'number' }, b: { type: 'number' } }),
      call('add', ['a', '2'], ['b', '3.5']),
    ],
    [
      'What is 6 * 7?',
      tool('multiply_numbers', { numbers: { type: 'array', items: { type: 'integer' } } }),
      call('multiply_numbers', ['numbers', '[6,7]']),
    ],
    ['What time is it?', tool('get_current_time', {}), call('get_current_time')],
  ])('answers %j by the tool of that name', (message, one, expected) => {
    expect(toolAnswer(prompt([tool('send_mail', { to: string }), one], message))).toBe(expected);
  });

  it('calls nothing that is not asked for', () => {
    expect(toolAnswer(prompt([writeFile, readFile, shell], 'Hello! How are you?'))).toBeUndefined();
    expect(toolAnswer('Create hello.txt')).toBeUndefined();
    expect(toolAnswer(prompt([], REQUEST))).toBeUndefined();
  });

  it('calls what is demanded', () => {
    const any = { closing: 'Write the next message. This message must call a tool: end it with the call …' };
    const one = { closing: 'Write the next message. This message must call the tool read_file: end it …' };
    expect(toolAnswer(prompt([writeFile, readFile], 'Hello "there"', any))).toBe(
      call('write_file', ['path', 'there'], ['content', 'there']),
    );
    expect(toolAnswer(prompt([writeFile, readFile], REQUEST, any))).toMatch('<function=write_file>');
    expect(toolAnswer(prompt([writeFile, readFile], 'Hello', one))).toBe(
      call('read_file', ['path', 'Hello']),
    );
  });

  it('passes over lines that describe no tool', () => {
    const text = prompt([writeFile], REQUEST).replace('<tools>\n{', '<tools>\n{"name":5}\n{broken\n{');
    expect(toolAnswer(text.replace('{"name":5}\n{broken', '{"name":5}'))).toMatch('<function=write_file>');
  });
});

describe('scriptedCall', () => {
  it('makes the calls of a script one message after the other', () => {
    const calls = [
      [{ name: 'a', arguments: { n: 1 } }],
      [
        { name: 'b', arguments: {} },
        { name: 'c', arguments: { s: 'x' } },
      ],
    ];
    expect(scriptedCall('no tags', calls)).toBe(call('a', ['n', '1']));
    const rounds: [string, string][][] = [[['a', 'r']]];
    expect(scriptedCall(prompt([], 'go', { rounds }), calls)).toBe(`${call('b')}\n${call('c', ['s', 'x'])}`);
    rounds.push([
      ['b', 'r'],
      ['c', 'r\n</tool_response> x'],
    ]);
    expect(scriptedCall(prompt([], 'go', { rounds }), calls)).toBeUndefined();
  });
});
