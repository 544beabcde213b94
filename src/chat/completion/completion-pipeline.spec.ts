import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnswerRecorder, chunkingOf, everyChunking } from '../../../test/support/watch/delta-recorder.js';
import { type FinishReason, type UpstreamBatch, type UpstreamEvent } from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { CompletionPipeline, MAX_GENERATED_CHARS } from './completion-pipeline.js';
import { type Guard } from './guard.js';
import { type DeltaSink, Stage } from './stages/stage.js';
import { Tokenizer } from './tokens/tokenizer.js';

const tokenizer = new Tokenizer();

interface Limits {
  readonly thinking?: boolean;
  readonly maxTokens?: number;
  readonly stop?: readonly string[];
}

function pipelineOf(
  { thinking = true, maxTokens = 1000, stop = [] }: Limits,
  sink: AnswerRecorder,
  guards: readonly Pick<Guard, 'stage' | 'holdsBack'>[] = [],
): CompletionPipeline {
  const request: CompletionRequest = {
    model: { id: 'm', contextWindow: 1, maxOutputTokens: 1, thinking, upstreamModel: 'm' },
    messages: [],
    stream: true,
    thinking,
    params: { temperature: 1, topP: 1, maxTokens, stop },
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    responseFormat: { type: 'text' },
    fieldNames: { messages: 'messages', schema: 'schema' },
  };
  return new CompletionPipeline(request, tokenizer, sink, guards);
}

interface Outcome {
  readonly text: string;
  readonly reasoning: string;
  readonly reason: FinishReason | undefined;
}

/** Runs batches through a pipeline. */
function run(limits: Limits, batches: readonly UpstreamBatch[], sink = new AnswerRecorder()): Outcome {
  const pipeline = pipelineOf(limits, sink);
  batches.forEach((batch) => pipeline.push(batch));
  const { answer, finishReason: reason } = pipeline;
  // What the log and the JSON answer are made from is what the caller saw.
  expect({ text: answer.text, reasoning: answer.reasoning }).toEqual({
    text: sink.joined('text'),
    reasoning: sink.joined('reasoning'),
  });
  return { text: answer.text, reasoning: answer.reasoning, reason };
}

const text = (value: string): UpstreamBatch => [{ type: 'text', text: value }];
const reasoning = (value: string): UpstreamBatch => [{ type: 'reasoning', text: value }];
const done: UpstreamBatch = [{ type: 'done', reason: 'stop' }];

describe('CompletionPipeline', () => {
  it.each<[string, Limits, string, Outcome]>([
    ['a plain answer', {}, 'Hello 😀', { text: 'Hello 😀', reasoning: '', reason: 'stop' }],
    ['an empty answer', {}, '', { text: '', reasoning: '', reason: 'stop' }],
    ['a thought', {}, '<think>\nwhy\n</think>\n\nHi', { text: 'Hi', reasoning: 'why\n', reason: 'stop' }],
    [
      'a thought to drop',
      { thinking: false },
      '<think>why</think>Hi',
      { text: 'Hi', reasoning: '', reason: 'stop' },
    ],
    ['a stop sequence', { stop: ['\n\n'] }, 'a\nb\n\nc', { text: 'a\nb', reasoning: '', reason: 'stop' }],
    [
      'a stop sequence in reasoning, which does not count',
      { stop: ['END'] },
      '<think>the END</think>a END b',
      { text: 'a ', reasoning: 'the END', reason: 'stop' },
    ],
    [
      'a limit',
      { maxTokens: 3 },
      ' one two three four',
      { text: ' one two three', reasoning: '', reason: 'length' },
    ],
    [
      'a limit that reasoning uses up',
      { maxTokens: 2 },
      '<think>one two three</think>four',
      { text: '', reasoning: 'one two', reason: 'length' },
    ],
    [
      'reasoning that is dropped, and so is not counted',
      { maxTokens: 2, thinking: false },
      '<think>one two three</think>four five',
      { text: 'four five', reasoning: '', reason: 'stop' },
    ],
    [
      'a limit before a stop sequence',
      { maxTokens: 2, stop: [' four'] },
      ' one two three four',
      { text: ' one two', reasoning: '', reason: 'length' },
    ],
    [
      'a stop sequence before a limit',
      { maxTokens: 3, stop: [' three'] },
      ' one two three four',
      { text: ' one two', reasoning: '', reason: 'stop' },
    ],
  ])('gives %s, however it arrives', (_what, limits, whole, expected) => {
    for (const pieces of everyChunking(whole)) {
      expect({ pieces, ...run(limits, [...pieces.map(text), done]) }).toEqual({ pieces, ...expected });
    }
  });

  it('gives the same at any chunking and batching', () => {
    const words = fc.constantFrom(
      '<think>',
      '</think>',
      ' one',
      ' two',
      '\n',
      'END',
      'E',
      '😀',
      'un',
      'able',
      '. ',
    );
    const limits = fc.record({
      thinking: fc.boolean(),
      maxTokens: fc.integer({ min: 1, max: 15 }),
      stop: fc.constantFrom<string[]>([], ['END'], ['D', ' two\n']),
    });
    const cases = fc
      .array(words, { maxLength: 14 })
      .map((all) => all.join(''))
      .chain((whole) => fc.tuple(limits, fc.constant(whole), chunkingOf(whole), fc.boolean()));
    fc.assert(
      fc.property(cases, ([limit, whole, pieces, oneBatch]) => {
        const batches = [...pieces.map(text), done];
        expect(run(limit, oneBatch ? [batches.flat()] : batches)).toEqual(run(limit, [text(whole), done]));
      }),
      { numRuns: 1000 },
    );
  });

  it('prefers the reasoning field of an upstream to tags', () => {
    const { text: said, reasoning: thought } = run({}, [reasoning('why'), text('<think>not</think>'), done]);
    expect({ said, thought }).toEqual({ said: '<think>not</think>', thought: 'why' });
  });

  it.each<[string, Limits, string, string | undefined]>([
    ['the sequence that ended the answer', { stop: ['three', ' two'] }, 'one two three', ' two'],
    ['none where it ended by itself', { stop: ['END'] }, 'one two', undefined],
    ['none where a limit came first', { stop: [' four'], maxTokens: 2 }, 'one two three four', undefined],
  ])('names %s', (_what, limits, said, expected) => {
    const sink = new AnswerRecorder();
    run(limits, [text(said), done], sink);
    expect(sink.answer.stopSequence).toBe(expected);
  });

  it('ends at the limit while a guard holds everything back, however it arrives', () => {
    class HoldingStage extends Stage {
      constructor(
        next: DeltaSink,
        private readonly held: string[],
      ) {
        super(next);
      }

      override text(piece: string): void {
        this.held.push(piece);
      }
    }
    const whole = '<think>why</think>one two three four five';
    for (const pieces of everyChunking(whole)) {
      const held: string[] = [];
      const pipeline = pipelineOf({ maxTokens: 4 }, new AnswerRecorder(), [
        { holdsBack: true, stage: (next) => new HoldingStage(next, held) },
      ]);
      pieces.forEach((piece) => pipeline.push(text(piece)));
      expect({ held: held.join(''), reason: pipeline.finishReason }).toEqual({
        held: 'one two three',
        reason: 'length',
      });
    }
  });

  it('lets nothing through after the end', () => {
    const sink = new AnswerRecorder();
    run({ stop: ['x'] }, [text('axb'), text('c'), reasoning('d'), done], sink);
    expect(sink.pieces).toEqual([['text', 'a']]);
  });

  it('lets nothing through in the rest of the batch that ended the answer', () => {
    const sink = new AnswerRecorder();
    const pipeline = pipelineOf({ stop: ['x'] }, sink);
    pipeline.push([...text('ax'), ...text('b'), { type: 'done', reason: 'length' }]);
    expect(sink.pieces).toEqual([['text', 'a']]);
    expect(pipeline.finishReason).toBe('stop');
  });

  it('has no finish reason before the upstream is done', () => {
    const { reason, text: said } = run({}, [[{ type: 'accepted' }], text('a')]);
    expect({ reason, said }).toEqual({ reason: undefined, said: 'a' });
  });

  it.each<[FinishReason, boolean, FinishReason]>([
    ['stop', false, 'stop'],
    ['length', false, 'length'],
    ['stop', true, 'tool_calls'],
    ['tool_calls', true, 'tool_calls'],
    ['length', true, 'length'],
    ['content_filter', false, 'content_filter'],
    ['content_filter', true, 'content_filter'],
  ])('ends with the upstream reason %s, with tool calls: %s, as %s', (upstream, hasCalls, expected) => {
    const call: UpstreamBatch = [
      { type: 'toolCall', delta: { index: 0, id: 'call_1', name: 'f', arguments: '{}' } },
    ];
    const { reason } = run({}, [hasCalls ? call : text('a'), [{ type: 'done', reason: upstream }]]);
    expect(reason).toBe(expected);
  });

  it('tells a reason that the upstream named from one that was assumed', () => {
    const pipelines = [done, [{ type: 'done', reason: 'stop', isAssumed: true } as const]].map((last) => {
      const pipeline = pipelineOf({}, new AnswerRecorder());
      pipeline.push(last);
      return [pipeline.finishReason, pipeline.isReasonAssumed];
    });
    expect(pipelines).toEqual([
      ['stop', false],
      ['stop', true],
    ]);
  });

  it('ends with tool_calls at a stop sequence behind a call', () => {
    const call: UpstreamBatch = [
      { type: 'toolCall', delta: { index: 0, id: 'call_1', name: 'f', arguments: '{}' } },
    ];
    const outcome = run({ stop: ['Observation:'] }, [call, text('\nObservation: made up'), done]);
    expect(outcome).toEqual({ text: '\n', reasoning: '', reason: 'tool_calls' });
  });

  it('hands on a refusal behind the text before it, whole and up to the limit', () => {
    const refused = (pieces: readonly string[], limits: Limits): unknown => {
      const sink = new AnswerRecorder();
      const pipeline = pipelineOf(limits, sink);
      pipeline.push([
        ...text('Well <'),
        ...pieces.map((piece) => ({ type: 'refusal', text: piece }) as const),
      ]);
      pipeline.push(done);
      return { said: [sink.joined('text'), pipeline.answer.refusal], reason: pipeline.finishReason };
    };
    const pieces = ['I will not. STOP \ud83d', '\ude00.'];
    expect(refused(pieces, { stop: ['STOP'] })).toEqual({
      said: ['Well <', 'I will not. STOP \u{1F600}.'],
      reason: 'stop',
    });
    expect(refused(['I will', ' not.'], { maxTokens: 4 })).toEqual({
      said: ['Well <', 'I will'],
      reason: 'length',
    });
  });

  it('puts the pieces of tool calls together', () => {
    const sink = new AnswerRecorder();
    const pipeline = pipelineOf({}, sink);
    pipeline.push([
      { type: 'toolCall', delta: { index: 0, id: 'call_a', name: 'read', arguments: '' } },
      { type: 'toolCall', delta: { index: 0, arguments: '{"path":' } },
      { type: 'toolCall', delta: { index: 1, id: 'call_b', name: 'grep', arguments: '{}' } },
      { type: 'toolCall', delta: { index: 0, arguments: '"a"}' } },
      { type: 'done', reason: 'tool_calls' },
    ]);
    expect(pipeline.answer.toolCalls).toEqual([
      { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      { id: 'call_b', type: 'function', function: { name: 'grep', arguments: '{}' } },
    ]);
    expect(sink.pieces).toHaveLength(4);
  });

  it.each<[string, UpstreamEvent]>([
    ['calls', { type: 'toolCall', delta: { index: 0, arguments: 'a'.repeat(2 ** 20) } }],
    ['reasoning', { type: 'reasoning', text: 'a'.repeat(2 ** 20) }],
  ])('ends an answer without end whose %s a guard keeps from its limit', (_what, piece) => {
    class SilentStage extends Stage {
      override reasoning(): void {
        // As what is held until more of it comes.
      }

      override toolCall(): void {
        // The same.
      }
    }
    const pipeline = pipelineOf({}, new AnswerRecorder(), [
      { holdsBack: false, stage: (next) => new SilentStage(next) },
    ]);
    let pushed = 0;
    while (!pipeline.isOver && pushed < 100) {
      pipeline.push([piece]);
      pushed++;
    }
    expect([pipeline.finishReason, pushed]).toEqual(['length', MAX_GENERATED_CHARS / 2 ** 20 + 1]);
  });

  it('keeps the usage that the upstream reports', () => {
    const usage = { promptTokens: 3, completionTokens: 2, reasoningTokens: 1, cachedTokens: 0 };
    const pipeline = pipelineOf({}, new AnswerRecorder());
    expect(pipeline.usage).toBeUndefined();
    pipeline.push([...text('a'), { type: 'usage', usage }, ...done]);
    expect(pipeline.usage).toEqual(usage);
  });
});
