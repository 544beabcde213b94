import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../../test/support/hostile/any-code-point.js';
import { chunkingOf, DeltaRecorder, everyChunking } from '../../../../test/support/watch/delta-recorder.js';
import { type FinishReason, type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { OfferedTools } from '../calls/offered-tools.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type NativeToolCallOptions, NativeToolCallStage } from './native-tool-call.stage.js';

const parameters = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    note: { type: ['string', 'null'] },
  },
};
const tools: ToolDefinition[] = ['read', 'write'].map((name) => ({
  type: 'function',
  function: { name, parameters },
}));

interface Run {
  readonly recorder: DeltaRecorder;
  readonly stage: NativeToolCallStage;
  readonly problems: ToolCallProblem[];
}

type Given = Partial<NativeToolCallOptions>;

/** A stage that has got nothing yet. */
function rig(given: Given = {}): Run {
  const recorder = new DeltaRecorder();
  const problems: ToolCallProblem[] = [];
  let ids = 0;
  const stage = new NativeToolCallStage(recorder, {
    tools: new OfferedTools(tools),
    calling: 'optional',
    isParallel: true,
    nextId: () => `made_${ids++}`,
    onProblem: (problem) => {
      problems.push(problem);
      return 'stop';
    },
    onDropped: () => undefined,
    end: recorder.end,
    ...given,
  });
  return { recorder, stage, problems };
}

function run(deltas: readonly ToolCallDelta[], given: Given = {}): Run {
  const rigged = rig(given);
  const { recorder, stage } = rigged;
  deltas.forEach((delta) => recorder.reasons.length === 0 && stage.toolCall(delta));
  if (recorder.reasons.length === 0) {
    stage.flush();
  }
  return rigged;
}

function deltas(pieces: readonly string[], name = 'read', index = 0): ToolCallDelta[] {
  return [
    { index, id: `id_${index}`, name, arguments: '' },
    ...pieces.map((json) => ({ index, arguments: json })),
  ];
}

/** Name and arguments of each call. */
function callsOf({ recorder }: Run): { id?: string; name?: string; json: string }[] {
  const calls: { id?: string; name?: string; json: string }[] = [];
  for (const [kind, delta] of recorder.pieces) {
    if (kind === 'toolCall') {
      const call = (calls[delta.index] ??= { json: '' });
      call.id ??= delta.id;
      call.name ??= delta.name;
      call.json += delta.arguments;
    }
  }
  return calls;
}

describe('NativeToolCallStage', () => {
  it.each<[what: string, json: string, expected: string, repairs: string[]]>([
    ['what is right', '{"path":"a","limit":5}', '{"path":"a","limit":5}', []],
    ['white space', ' { "path" : "a b" } \n', '{"path":"a b"}', []],
    [
      'kinds',
      '{"path":5,"limit":"7","tags":"x"}',
      '{"path":"5","limit":7,"tags":["x"]}',
      ['number_to_string', 'string_to_number', 'wrapped_in_array'],
    ],
    [
      'escapes',
      '{"path":"C:\\\\new \\u00e9\\ud83d\\ude00\\n","note":null}',
      '{"path":"C:\\\\new \\u00e9\\ud83d\\ude00\\n","note":null}',
      [],
    ],
    ['digits', '{"limit":12345678901234567890,"more":1.0}', '{"limit":12345678901234567890,"more":1.0}', []],
    [
      'faults of JSON',
      "{'path': 'a', limit: 5,}",
      '{"path":"a","limit":5}',
      ['single_quotes', 'unquoted_key', 'trailing_comma'],
    ],
    ['a missing closer', '{"tags":["a"]', '{"tags":["a"]}', ['missing_closer']],
    ['arguments in a string', '"{\\"path\\":\\"a\\"}"', '{"path":"a"}', ['encoded_arguments']],
    ['no arguments', '', '{}', []],
    ['null', 'null', '{}', []],
    ['what follows them', '{"path":"a"}}', '{"path":"a"}', ['trailing_text']],
  ])('reads %s at every chunking', (_what, json, expected, repairs) => {
    for (const pieces of json === '' ? [[]] : everyChunking(json)) {
      const result = run(deltas(pieces));
      expect(callsOf(result)).toEqual([{ id: 'id_0', name: 'read', json: expected }]);
      expect(result.stage.report).toEqual({ calls: [{ id: 'id_0', name: 'read', repairs }], notes: [] });
      expect(result.recorder.reasons).toEqual([]);
    }
  });

  it('streams strings as they arrive', () => {
    const { recorder, stage } = rig();
    deltas(['{"path":"one', ' two']).forEach((delta) => stage.toolCall(delta));
    expect(recorder.pieces).toEqual([
      ['toolCall', { index: 0, id: 'id_0', name: 'read', arguments: '' }],
      ['toolCall', { index: 0, arguments: '{"path":"one' }],
      ['toolCall', { index: 0, arguments: ' two' }],
    ]);
  });

  it('keeps interleaved calls apart', () => {
    const result = run([...deltas(['{"path":"a"}']), ...deltas(['{"limit":', '"5"}'], 'write', 1)]);
    expect(callsOf(result)).toEqual([
      { id: 'id_0', name: 'read', json: '{"path":"a"}' },
      { id: 'id_1', name: 'write', json: '{"limit":5}' },
    ]);
  });

  it('drops all calls but the first without parallel calls', () => {
    const result = run([...deltas(['{}']), ...deltas(['{}'], 'write', 1), ...deltas(['{}'], 'write', 2)], {
      isParallel: false,
    });
    expect(callsOf(result)).toEqual([{ id: 'id_0', name: 'read', json: '{}' }]);
    expect(result.stage.report.notes).toEqual(['Dropped 2 more: only one call at a time was asked for.']);
  });

  it('passes calls of unknown tools unchanged and notes them', () => {
    const result = run(deltas(['{"x":', '1'], 'erase'));
    expect(callsOf(result)).toEqual([{ id: 'id_0', name: 'erase', json: '{"x":1' }]);
    expect(result.stage.report).toEqual({
      calls: [],
      notes: ['The upstream called "erase", which is no tool of the request.'],
    });
  });

  it('corrects the name of a tool and makes missing ids', () => {
    const result = run([
      { index: 0, name: 'functions.Read', arguments: '{}' },
      { index: 1, name: 'erase', arguments: '{}' },
    ]);
    expect(callsOf(result)).toEqual([
      { id: 'made_0', name: 'read', json: '{}' },
      { id: 'made_1', name: 'erase', json: '{}' },
    ]);
    expect(result.stage.report.calls).toEqual([{ id: 'made_0', name: 'read', repairs: ['name'] }]);
  });

  it('passes unreadable arguments unchanged', () => {
    const result = run(deltas(['[1', ',2]'], 'read'));
    expect(callsOf(result)).toEqual([{ id: 'id_0', name: 'read', json: '[1,2]' }]);
    expect(result.stage.report.notes).toHaveLength(1);
    expect(result.recorder.reasons).toEqual([]);
  });

  it.each([
    ['{"path":"a', ' b'],
    ['{"path":"a b"', ',"limit":5x}'],
    ['{"path":"a b"', ',"limit":'],
  ])('never completes arguments that are cut off: %j', (...pieces) => {
    const result = run(deltas(pieces));
    expect(callsOf(result)[0]?.json).toMatch(/^\{"path":"a b[^}]*$/);
    expect(result.recorder.reasons).toEqual(['length']);
    expect(result.stage.report.notes).toHaveLength(1);
  });

  it('passes text and reasoning', () => {
    const { recorder, stage } = rig();
    stage.reasoning('r');
    stage.text('t');
    expect(recorder.pieces).toEqual([
      ['reasoning', 'r'],
      ['text', 't'],
    ]);
  });

  it('reads the arguments of a call whose name comes late', () => {
    const result = run([
      { index: 0, id: 'a', arguments: '{"limit"' },
      { index: 0, name: 'read', arguments: ':"5"}' },
    ]);
    expect(callsOf(result)).toEqual([{ id: 'a', name: 'read', json: '{"limit":5}' }]);
  });

  it.each([{}, { name: '' }])('leaves a call out whose name does not come: %j', (named) => {
    const unnamed = { index: 0, id: 'a', ...named, arguments: '{"path":"a"}' };
    const alone = run([unnamed]);
    expect([alone.recorder.pieces, alone.problems]).toEqual([
      [],
      [{ kind: 'empty', detail: 'The answer has neither text nor a call.', raw: '' }],
    ]);
    const both = run([unnamed, ...deltas(['{}'], 'write', 1)]);
    expect(callsOf(both).filter(Boolean)).toEqual([{ id: 'id_1', name: 'write', json: '{}' }]);
    expect(both.stage.report.notes).toEqual(['Left out a call without a name.']);
    expect(both.problems).toEqual([]);
  });

  it.each<[string, Given, FinishReason, number]>([
    ['without anything', {}, 'stop', 1],
    ['whose calls did not come', {}, 'tool_calls', 1],
    ['without anything up to its limit', {}, 'length', 0],
    ['that must not call', { calling: 'forbidden' }, 'stop', 0],
    ['without tools', { tools: new OfferedTools([]) }, 'stop', 0],
  ])('knows an answer as empty: one %s', (_what, given, reason, problemCount) => {
    const { stage, problems } = rig(given);
    stage.reasoning('Hm.');
    stage.flush(reason);
    expect(problems.map(({ kind }) => kind)).toEqual(Array.from({ length: problemCount }, () => 'empty'));
  });

  describe('with a demanded call', () => {
    const demanded = { calling: 'required', tools: new OfferedTools(tools.slice(0, 1)) } as const;
    const missing: ToolCallProblem = {
      kind: 'missing',
      detail: 'The answer calls no tool, but it has to.',
      raw: '',
    };

    it('holds text back until the call begins', () => {
      const { recorder, stage, problems } = rig(demanded);
      stage.reasoning('Hm.');
      stage.text('I ');
      stage.text('read.');
      expect(recorder.pieces).toEqual([['reasoning', 'Hm.']]);
      deltas(['{}']).forEach((delta) => stage.toolCall(delta));
      stage.text('!');
      stage.flush('tool_calls');
      expect(recorder.pieces.slice(1)).toEqual([
        ['text', 'I read.'],
        ['toolCall', { index: 0, id: 'id_0', name: 'read', arguments: '' }],
        ['toolCall', { index: 0, arguments: '{}' }],
        ['text', '!'],
      ]);
      expect(problems).toEqual([]);
    });

    it('gives up text without a call', () => {
      const { recorder, stage, problems } = rig(demanded);
      stage.text('No.');
      stage.flush('stop');
      expect(problems).toEqual([{ ...missing, raw: 'No.' }]);
      expect(recorder.pieces).toEqual([]);
    });

    it.each(['length', 'content_filter'] as const)('passes what ended by %s', (reason) => {
      const { recorder, stage, problems } = rig(demanded);
      stage.text('I');
      stage.flush(reason);
      expect([problems, recorder.pieces]).toEqual([[], [['text', 'I']]]);
    });

    it('passes text on where its lack is let through', () => {
      const { recorder, stage } = rig({ ...demanded, onProblem: () => 'pass' });
      stage.text('No.');
      stage.flush('stop');
      expect(recorder.pieces).toEqual([['text', 'No.']]);
    });

    it('takes a refusal for the answer', () => {
      const { recorder, stage, problems } = rig(demanded);
      stage.text('I');
      stage.refusal('No.');
      stage.text('So.');
      stage.flush('stop');
      expect(problems).toEqual([]);
      expect(recorder.pieces).toEqual([
        ['text', 'I'],
        ['refusal', 'No.'],
        ['text', 'So.'],
      ]);
    });

    it('counts calls of other tools for nothing', () => {
      const other = run(deltas(['{}'], 'write'), demanded);
      expect([other.recorder.pieces, other.problems]).toEqual([[], [missing]]);
      expect(other.stage.report).toEqual({
        calls: [],
        notes: ['Left out a call of "write", which this answer must not call.'],
      });
      for (const isParallel of [true, false]) {
        const both = run([...deltas(['{}'], 'write'), ...deltas(['{}'], 'read', 1)], {
          ...demanded,
          isParallel,
        });
        expect(both.problems).toEqual([]);
        expect(callsOf(both).filter(Boolean)).toEqual([{ id: 'id_1', name: 'read', json: '{}' }]);
      }
    });
  });

  describe('with calls forbidden', () => {
    const forbidden = { calling: 'forbidden' } as const;

    it('leaves calls out and passes text at once', () => {
      const { recorder, stage, problems } = rig(forbidden);
      stage.text('I read.');
      expect(recorder.pieces).toEqual([['text', 'I read.']]);
      deltas(['{', '}']).forEach((delta) => stage.toolCall(delta));
      stage.flush('tool_calls');
      expect(recorder.pieces).toHaveLength(1);
      expect(problems).toEqual([]);
      expect(stage.report.notes).toEqual(['Left out a call of "read", which this answer must not call.']);
    });

    it('gives up an answer that is nothing but calls', () => {
      const { recorder, problems } = run(deltas(['{}']), forbidden);
      expect(recorder.pieces).toEqual([]);
      expect(problems).toEqual([
        { kind: 'forbidden', detail: 'The answer calls a tool, but it must not.', raw: '' },
      ]);
      expect(run([], forbidden).problems).toEqual([]);
    });
  });

  it('never changes arguments that conform to the schema', () => {
    const value = fc.record(
      {
        path: fc.string({ unit: anyCodePoint }),
        limit: fc.integer(),
        tags: fc.array(fc.string()),
        note: fc.option(fc.string()),
        any: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    );
    const chunked = value
      .map((one) => JSON.stringify(one))
      .chain((json) => fc.tuple(fc.constant(json), chunkingOf(json)));
    fc.assert(
      fc.property(chunked, ([json, pieces]) => {
        const result = run(deltas(pieces));
        expect(callsOf(result)[0]?.json).toBe(json);
        expect(result.stage.report.calls[0]?.repairs).toEqual([]);
      }),
    );
  });

  describe('a call in the reasoning', () => {
    const call =
      '<tool_call>\n<function=read>\n<parameter=limit>\n2\n</parameter>\n</function>\n</tool_call>';
    const thinking = (given: Given, reasoning: string, text = ''): Run => {
      const rigged = rig(given);
      rigged.stage.reasoning(`I look.\n${reasoning}`);
      if (text !== '') {
        rigged.stage.text(text);
      }
      rigged.stage.flush('stop');
      return rigged;
    };

    it.each<NativeToolCallOptions['calling']>(['optional', 'required'])(
      'counts if nothing follows it, where calls are %s',
      (calling) => {
        const rigged = thinking({ calling }, call, '\n\n');
        expect(callsOf(rigged)).toEqual([{ id: 'made_0', name: 'read', json: '{"limit":2}' }]);
        expect(rigged.problems).toEqual([]);
        expect(rigged.stage.report.calls).toMatchObject([{ id: 'made_0', name: 'read' }]);
      },
    );

    it.each<[string, Given, string, string]>([
      ['where no call may be', { calling: 'forbidden' }, call, ''],
      ['in front of an answer', {}, call, 'No.'],
      ['in the middle of reasoning', {}, `${call}\nBut no.`, ''],
    ])('does not count %s', (_where, given, reasoning, text) => {
      const rigged = thinking(given, reasoning, text);
      expect(callsOf(rigged)).toEqual([]);
      expect(rigged.recorder.joined('text')).toBe(text);
    });
  });
});
