import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import {
  chunkingOf,
  DeltaRecorder,
  everyChunking,
  feed,
  inPieces,
} from '../../../test/support/watch/delta-recorder.js';
import { type AnswerVerdict } from '../completion/guard.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { OfferedTools } from './calls/offered-tools.js';
import { type ToolCallProblem } from './calls/tool-call-report.js';
import { type ToolCallOptions, ToolCallStage } from './tool-call.stage.js';

function tool(name: string, properties: Record<string, unknown>): ToolDefinition {
  return { type: 'function', function: { name, parameters: { type: 'object', properties } } };
}

const string = { type: 'string' };
const tools = new OfferedTools([
  tool('write_file', { path: string, content: string, mode: { type: 'integer' } }),
  tool('search', { query: { type: ['string', 'null'] }, tags: { type: 'array', items: string } }),
  tool('ping', {}),
]);

interface Rig {
  readonly sink: DeltaRecorder;
  readonly stage: ToolCallStage;
  readonly problems: ToolCallProblem[];
}

function rig(options: Partial<ToolCallOptions> & { verdict?: AnswerVerdict } = {}): Rig {
  const sink = new DeltaRecorder();
  const problems: ToolCallProblem[] = [];
  let ids = 0;
  const stage = new ToolCallStage(sink, {
    tools,
    isRequired: false,
    isParallel: true,
    nextId: () => `call_${++ids}`,
    onProblem: (problem) => {
      problems.push(problem);
      return options.verdict ?? 'pass';
    },
    end: sink.end,
    ...options,
  });
  return { sink, stage, problems };
}

/** The output after each piece: texts, names and arguments. */
function passedAfterEach(pieces: readonly string[]): string[][] {
  const { sink, stage } = rig();
  return pieces.map((piece) => {
    const before = sink.pieces.length;
    stage.text(piece);
    return sink.pieces
      .slice(before)
      .map(([kind, what]) => (kind === 'toolCall' ? (what.name ?? what.arguments) : what));
  });
}

describe('ToolCallStage', () => {
  it('streams a string while it arrives, except for a possible end', () => {
    expect(
      passedAfterEach([
        'Look',
        ' here.\n\n',
        '<tool',
        '_call>\n<function=write_file>\n<parameter=path>a',
        '.txt</para',
        'meter>\n<parameter=content>\nHello',
        ' "you"',
        '\n  ',
        'and <b>',
        '</parameter> too\n</paramet',
        'er>',
        '\n</function>',
        '\n</tool_call>',
      ]),
    ).toEqual([
      ['Look'],
      [' here.'],
      [],
      ['write_file', '{"path":"a'],
      ['.txt'],
      ['","content":"Hello'],
      [' \\"you\\"'],
      [],
      ['\\n  and <b>'],
      ['</parameter> too'],
      [],
      [],
      ['"}'],
    ]);
  });

  it('streams a string in JSON while it arrives', () => {
    expect(
      passedAfterEach([
        '<tool_call>{"na',
        'me": "write_file", "arguments"',
        ': {"path": "a.txt"',
        ', "mode": 6',
        '44, "content": "Hel',
        'lo\\',
        'nyou\\u00',
        'e9"',
        '}',
        '}\n</tool_call>',
      ]),
    ).toEqual([
      [],
      [],
      ['write_file', '{"path":"a.txt'],
      ['"'],
      [',"mode":644,"content":"Hel'],
      ['lo'],
      ['\\nyou'],
      ['\\u00e9'],
      [],
      ['"}'],
    ]);
  });

  it('streams a value of several admitted kinds once it can only be a string', () => {
    expect(
      passedAfterEach([
        '<function=search><parameter=query>nul',
        'lable',
        ' types',
        '</parameter></function>',
      ]),
    ).toEqual([[], ['search', '{"query":"nullable'], [' types'], ['"}']]);
  });

  it('passes text as it arrives', () => {
    expect(
      passedAfterEach(['One', ' two', ' `th', 'ree` ', '<b>', '\n```js\n', 'f();', '\n```', '\nend']),
    ).toEqual([['One'], [' two'], [' `th'], ['ree`'], [' <b>'], ['\n```js'], ['\nf();'], [], ['\n```\nend']]);
  });

  it('passes JSON as text once it cannot be a call', () => {
    expect(passedAfterEach(['{"na', 'me": "wri', 'te", "x', '": 1}'])).toEqual([
      [],
      [],
      ['{"name": "write", "x'],
      ['": 1}'],
    ]);
    expect(passedAfterEach(['```json\n', '{"a', '": 1}\n'])).toEqual([[], [], ['```json\n{"a": 1}']]);
  });

  it('gives up an answer with an unreadable call and passes nothing more', () => {
    const whole = '\n<tool_call>{"name": "write_file", "arguments": 5}</tool_call> and more';
    for (const pieces of everyChunking(whole)) {
      const { sink, stage, problems } = rig({ verdict: 'stop' });
      feed(stage, pieces);
      stage.reasoning('hm');
      expect({ pieces, passed: sink.pieces, problems }).toEqual({
        pieces,
        passed: [],
        problems: [
          {
            kind: 'malformed',
            detail: 'The arguments of write_file must be a JSON object.',
            raw: '<tool_call>{"name": "write_file", "arguments": 5',
          },
        ],
      });
    }
  });

  it.each<[string, string, ToolCallProblem]>([
    [
      'is cut off',
      '<tool_call>\n<function=write_file>\n<parameter=mode>1',
      {
        kind: 'cut',
        detail: 'The tool call is cut off inside a value.',
        raw: '<tool_call>\n<function=write_file>\n<parameter=mode>1',
      },
    ],
    [
      'is missing',
      'Hello.\n',
      { kind: 'missing', detail: 'The answer calls no tool, but it has to.', raw: 'Hello.' },
    ],
    [
      'is of no offered tool',
      '<tool_call>{"name": "pong"}</tool_call>',
      {
        kind: 'missing',
        detail: 'There is no tool named "pong".',
        raw: '<tool_call>{"name": "pong"}</tool_call>',
      },
    ],
  ])('describes the problem if a required call %s', (_what, whole, problem) => {
    const { sink, stage, problems } = rig({ isRequired: true, verdict: 'stop' });
    feed(stage, [whole]);
    expect({ problems, passed: sink.pieces }).toEqual({ problems: [problem], passed: [] });
  });

  it('asks at most once, and only before any output', () => {
    const broken = '<tool_call>{"name": "ping", "arguments": 5}</tool_call>';
    const first = rig();
    feed(first.stage, [`${broken}\n${broken}`]);
    expect(first.problems).toHaveLength(1);
    expect(first.sink.joined('text')).toBe(`${broken}\n${broken}`);
    const afterText = rig();
    feed(afterText.stage, [`So: ${broken}`]);
    const afterCall = rig();
    feed(afterCall.stage, [`<function=ping></function>${broken}`]);
    expect([afterText.problems, afterCall.problems]).toEqual([[], []]);
  });

  it('holds text back until a required call begins', () => {
    const { sink, stage } = rig({ isRequired: true });
    stage.text('I will.\n\n');
    stage.text('Now <tool_call>');
    expect(sink.pieces).toEqual([]);
    stage.text('<function=ping></function></tool_call>');
    expect(sink.pieces).toEqual([
      ['text', 'I will.\n\nNow'],
      ['toolCall', { index: 0, id: 'call_1', name: 'ping', arguments: '' }],
      ['toolCall', { index: 0, arguments: '{}' }],
    ]);
  });

  it('passes text on whose limit came before the required call', () => {
    const { sink, stage, problems } = rig({ isRequired: true, verdict: 'stop' });
    stage.text('I will');
    stage.flush('length');
    expect([problems, sink.pieces]).toEqual([[], [['text', 'I will']]]);
  });

  it('asks for no required call where the model refuses', () => {
    const { sink, stage, problems } = rig({ isRequired: true, verdict: 'stop' });
    stage.refusal('I will not.');
    stage.flush('stop');
    expect([sink.pieces, problems]).toEqual([[['refusal', 'I will not.']], []]);
  });

  it.each(['<tool_ca', 'Well. <', '<tool_call><function=re'])('passes %j on before a refusal', (held) => {
    const { sink, stage, problems } = rig({ verdict: 'stop' });
    stage.text(held);
    stage.refusal('I will ');
    stage.refusal('not.');
    stage.text(' Sorry.');
    stage.flush('stop');
    const told = sink.pieces
      .map(([kind, piece]) => `${kind}:${kind === 'toolCall' ? '' : piece}`)
      .join(' | ');
    expect(told.replaceAll(' | text:', '')).toBe(`text:${held} | refusal:I will  | refusal:not. Sorry.`);
    expect(problems).toEqual([]);
  });

  it.each([false, true])('passes text before a refusal, whether a call is demanded: %s', (isRequired) => {
    const { sink, stage, problems } = rig({ isRequired, verdict: 'stop' });
    stage.text('Well. ');
    stage.refusal('I will not.');
    stage.text('So.');
    stage.flush('stop');
    const told = sink.pieces.map(([kind, piece]) => (kind === 'toolCall' ? kind : piece));
    expect([told.join(''), problems]).toEqual(['Well. I will not.So.', []]);
  });

  it('passes reasoning and native calls unchanged', () => {
    const delta = { index: 0, id: 'a', name: 'b', arguments: '{}' };
    const { sink, stage } = rig();
    stage.reasoning('<tool_call>');
    stage.toolCall(delta);
    expect(sink.pieces).toEqual([
      ['reasoning', '<tool_call>'],
      ['toolCall', delta],
    ]);
  });

  const markup = fc
    .array(
      fc.constantFrom(
        ...[
          '<tool_call>',
          '</tool_call>',
          '<function=',
          'ping',
          'write_file',
          '>',
          '</function>',
          '</parameter>',
        ],
        ...[
          '<parameter=path>',
          '<parameter=mode>',
          '{"name":"ping"',
          ',"arguments":{',
          '"path":"',
          '"',
          '}',
          '}}',
        ],
        ...[
          '`',
          '```',
          '```json\n',
          '\n',
          ' ',
          'a',
          '1',
          '\\',
          'é',
          '[TOOL_CALLS]',
          '[',
          ']',
          ',',
          '~~~',
          '<',
          '</',
        ],
        ...[
          '<tool_response>',
          '<user>',
          '<|python_tag|>',
          '<invoke name="ping">',
          '</invoke>',
          "'",
          '/',
          '//',
        ],
      ),
      { maxLength: 30 },
    )
    .map((words) => words.join(''));

  it('gives the same result at any chunking', () => {
    const outcome = (pieces: readonly string[]): unknown => {
      const { sink, stage, problems } = rig();
      feed(stage, pieces, sink.reasons);
      const calls = sink.pieces.flatMap(([kind, what]) => (kind === 'toolCall' ? [what] : []));
      return {
        text: sink.joined('text'),
        calls: calls.map(({ index, id, name, arguments: json }) => [index, id, name, json].join()).join('|'),
        order: sink.pieces.map(([kind]) => kind).filter((kind, index, all) => kind !== all[index - 1]),
        reasons: sink.reasons,
        problems,
        report: stage.report,
      };
    };
    const normal = (of: unknown): unknown =>
      // Where the arguments are split depends on the chunking.
      JSON.parse(JSON.stringify(of).replace(/\|\d+,,,/g, ''));
    fc.assert(
      fc.property(
        markup.chain((whole) => fc.tuple(fc.constant(whole), chunkingOf(whole))),
        ([whole, pieces]) => {
          const expected = normal(outcome([whole].filter((piece) => piece !== '')));
          expect(normal(outcome(pieces))).toEqual(expected);
          expect(normal(outcome(inPieces(whole, 1)))).toEqual(expected);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('passes any text without a call unchanged', () => {
    const none = new OfferedTools([]);
    fc.assert(
      fc.property(
        fc
          .oneof(markup, fc.string({ unit: 'grapheme' }))
          .chain((whole) => fc.tuple(fc.constant(whole), chunkingOf(whole))),
        ([whole, pieces]) => {
          const { sink, stage } = rig({ tools: none });
          feed(stage, pieces);
          expect(sink.joined('text')).toBe(whole);
        },
      ),
      { numRuns: 600 },
    );
  });

  it.each<[string, string, string, string]>([
    ['a string', '<function=write_file><parameter=content>\n', '< </p\n', '</parameter></function>'],
    ['a string in JSON', '<tool_call>{"name":"write_file","arguments":{"content":"', '\\" a', '"}}'],
    ['a number', '<tool_call>{"name":"write_file","arguments":{"mode":', '1', '}}'],
    ['a list', '<function=search><parameter=tags>[', '"a", ', '"b"]</parameter></function>'],
    ['white space', '<function=write_file><parameter=path>a</parameter>', '  ', '</function>'],
    [
      'blanks before a section',
      '<function=write_file><parameter=path>',
      ' ',
      '<![CDATA[a]]></parameter></function>',
    ],
    ['late names', '<tool_call>{"arguments":{"path":"', 'x', '"},"name":"write_file"}'],
    ['backticks', '', '`', ''],
    ['openings', '', '<tool_call>\n', ''],
    ['text', '', 'a `b` <c> [d]\n', ''],
    ['white space behind a name', '<tool_call>write_file', ' ', ''],
    ['a key that has tags of its own', '<tool_call>write_file<arg_key>', 'k', ''],
    ['what may end a string', '<|tool_call>call:write_file{path:<|"|>', '<|', ''],
    ['markers', '', '<|channel|>', ''],
    [
      'closing tags',
      '<tool_call><function=search><parameter=query>',
      '</parameter>',
      '</function></tool_call>',
    ],
    [
      'ends of calls',
      '<tool_call><function=search><parameter=query></parameter>',
      '</function>',
      '</tool_call>',
    ],
    ['beginnings of lists', '', '[write_file(', ''],
  ])('reads %s character by character in linear time', (_what, start, part, end) => {
    const cost = (length: number): number => {
      const pieces = [...(start + part.repeat(length / part.length) + end)];
      const { stage } = rig();
      return cpuMs(() => feed(stage, pieces));
    };
    expectCostRatio({ small: () => cost(20_000), large: () => cost(160_000) }, 24);
  });
});
