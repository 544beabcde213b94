import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { scriptedCall, toolAnswer } from './sandbox-tool-answer.js';

const string = { type: 'string' };

interface Tool {
  readonly name: string;
  readonly parameters?: unknown;
}

function tool(name: string, properties: Readonly<Record<string, object>>): Tool {
  return { name, parameters: { type: 'object', properties, required: Object.keys(properties) } };
}

const writeFile = tool('write_file', { path: string, content: string });
const readFile = tool('read_file', { path: string });

interface Conversation {
  readonly before?: readonly string[];
  readonly rounds?: readonly (readonly [tool: string, text: string][])[];
  readonly closing?: string;
}

function prompt(tools: readonly Tool[], message: string, conversation: Conversation = {}): string {
  const { before = [], rounds = [], closing = 'Write the next message.' } = conversation;
  const said = rounds.map((round) =>
    [
      '<assistant>\n<tool_call>\n</tool_call>\n</assistant>',
      ...round.map(([name, text]) => `<tool_response name="${name}">\n${text}\n</tool_response>`),
    ].join('\n\n'),
  );
  return [
    `<system>\nYou help.\n\n# Tools\n\n<tool_definitions>\n${tools.map((one) => JSON.stringify(one)).join('\n')}\n</tool_definitions>\n</system>`,
    ...before,
    `<user>\n${message}\n</user>`,
    ...said,
    closing,
  ].join('\n\n');
}

function call(name: string, ...parameters: readonly (readonly [string, string])[]): string {
  const body = parameters.map(([key, value]) => `<parameter=${key}>${value}</parameter>\n`).join('');
  return `<tool_call>\n<function=${name}>\n${body}</function>\n</tool_call>`;
}

const WRITE_SAMPLE = call('write_file', ['path', 'sandbox-sample'], ['content', 'sandbox-sample']);
const READ_SAMPLE = call('read_file', ['path', 'sandbox-sample']);

/** Without markers, which would take effect where an agent quotes it. */
const NO_FURTHER_CALL =
  'This answer comes from the built-in sandbox, not from a language model. ' +
  'It calls the first tool once in a conversation, and no other unless a marker says so.';

describe('toolAnswer', () => {
  it('calls the first tool with values that its schema admits', () => {
    expect(toolAnswer(prompt([readFile, writeFile], 'Hello'))).toBe(READ_SAMPLE);
    const odd = tool('odd', {
      mode: { enum: ['a', 'b'] },
      count: { type: 'integer', minimum: 3 },
      tags: { items: string },
    });
    expect(toolAnswer(prompt([odd], 'Hello'))).toBe(
      call('odd', ['mode', 'a'], ['count', '3'], ['tags', '["sandbox-sample"]']),
    );
  });

  it.each([undefined, null, 5, 'x', [], { default: 5 }, { anyOf: [{ type: 'integer' }] }])(
    'gives no arguments to a tool with the parameters %j',
    (parameters) => {
      expect(toolAnswer(prompt([{ name: 'now', parameters }], 'Hello'))).toBe(call('now'));
    },
  );

  it('ends with words on the last result', () => {
    const rounds: [string, string][][] = [
      [['write_file', 'ok']],
      [
        ['read_file', 'a'],
        ['read_file', `Hi\n${'x'.repeat(200)}`],
      ],
    ];
    expect(toolAnswer(prompt([readFile, writeFile], 'Hello', { rounds }))).toBe(
      'Done, as far as the built-in sandbox can: it has called write_file, read_file. ' +
        `The last result begins: “Hi ${'x'.repeat(57)}…”`,
    );
  });

  it('answers in JSON where it is asked for, and not in place of a call', () => {
    const json = '{"a":1}';
    const rounds: [string, string][][] = [[['read_file', 'a']]];
    const before = ['<user>\nBefore.\n</user>\n\n<tool_response name="old">\nold\n</tool_response>'];
    expect(toolAnswer(prompt([readFile], 'Hello'), json)).toBe(READ_SAMPLE);
    expect(toolAnswer(prompt([readFile], 'Hello', { rounds }), json)).toBe(json);
    expect(toolAnswer(prompt([readFile], 'Hello', { before }), json)).toBe(json);
  });

  it('calls nothing where no tool is offered', () => {
    expect(toolAnswer('Create hello.txt')).toBeUndefined();
    expect(toolAnswer(prompt([], 'Create hello.txt'))).toBeUndefined();
  });

  it('calls nothing more after a result of an earlier turn', () => {
    const before = ['<user>\nBefore.\n</user>\n\n<tool_response name="old">\nold\n</tool_response>'];
    expect(toolAnswer(prompt([readFile], 'Hello', { before }))).toBe(NO_FURTHER_CALL);
  });

  it('calls nothing for a sub-agent that a sample call has started', () => {
    const agent = tool('agent', { prompt: string });
    expect(toolAnswer(prompt([agent], 'Hello'))).toBe(call('agent', ['prompt', 'sandbox-sample']));
    expect(toolAnswer(prompt([agent], 'Today is Monday.\n\nsandbox-sample'))).toBe(NO_FURTHER_CALL);
  });

  it('makes the call that is demanded, also after a result', () => {
    const any = 'Write the next message. This message must call a tool: end it with the call …';
    const one = 'Write the next message. This message must call the tool read_file: end it …';
    const rounds: [string, string][][] = [[['read_file', 'a']]];
    expect(toolAnswer(prompt([writeFile, readFile], 'Hello', { rounds, closing: any }))).toBe(WRITE_SAMPLE);
    expect(toolAnswer(prompt([writeFile, readFile], 'Hello', { closing: one }))).toBe(READ_SAMPLE);
  });

  it('passes over lines that describe no tool', () => {
    const text = prompt([writeFile], 'Hello').replace(
      '<tool_definitions>\n{',
      '<tool_definitions>\n{"name":5}\n{broken\n{',
    );
    expect(toolAnswer(text)).toBe(WRITE_SAMPLE);
  });

  it('takes little time for long results', async () => {
    const rounds = Array.from({ length: 50 }, (): [string, string][] => [
      ['read_file', '<a>\n'.repeat(50_000)],
    ]);
    let text: string | undefined;
    const costMs = cpuMs(() => (text = toolAnswer(prompt([readFile], 'Hello', { rounds }))));
    await cpuPace.expectWithin(costMs, 4000);
    expect(text).toContain('it has called read_file.');
  });
});

describe('scriptedCall', () => {
  it('makes the calls of a script one message after the other', () => {
    const calls = [
      [{ name: 'a', arguments: { n: 1 } }],
      [
        { name: 'b', arguments: {} },
        { name: 'c', arguments: { s: '\nx' } },
      ],
    ];
    expect(scriptedCall('no tags', calls)).toBe(call('a', ['n', '1']));
    const rounds: [string, string][][] = [[['a', 'r']]];
    const before = ['<user>\nBefore.\n</user>\n\n<tool_response name="old">\nold\n</tool_response>'];
    expect(scriptedCall(prompt([], 'go', { before, rounds }), calls)).toBe(
      `${call('b')}\n${call('c', ['s', '\n\nx\n'])}`,
    );
    rounds.push([
      ['b', 'r'],
      ['c', 'r\n</tool_response> x'],
    ]);
    expect(scriptedCall(prompt([], 'go', { rounds }), calls)).toBeUndefined();
  });
});
