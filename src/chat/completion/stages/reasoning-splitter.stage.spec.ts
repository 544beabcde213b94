import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import {
  chunkingOf,
  DeltaRecorder,
  everyChunking,
  feed,
  inPieces,
} from '../../../../test/support/watch/delta-recorder.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { ReasoningSplitterStage } from './reasoning-splitter.stage.js';

interface Split {
  readonly reasoning: string;
  readonly text: string;
}

function split(pieces: readonly string[]): Split {
  const sink = new DeltaRecorder();
  feed(new ReasoningSplitterStage(sink), pieces);
  return { reasoning: sink.joined('reasoning'), text: sink.joined('text') };
}

describe('ReasoningSplitterStage', () => {
  it.each<[string, string, Split]>([
    ['no block', 'Hello <there>', { reasoning: '', text: 'Hello <there>' }],
    ['a block', '<think>why</think>Because', { reasoning: 'why', text: 'Because' }],
    [
      'white space inside the opening tag and around the block',
      ' \n<think>\n why\nso\n</think>\n\nBecause\n',
      { reasoning: 'why\nso\n', text: 'Because\n' },
    ],
    [
      'a block of Windows lines',
      '<think>\r\nwhy\r\n</think>\r\nBecause',
      { reasoning: 'why\r\n', text: 'Because' },
    ],
    ['an empty block', '<think>\n\n</think>\n\nHi', { reasoning: '', text: 'Hi' }],
    ['a block alone', '<think>why</think>', { reasoning: 'why', text: '' }],
    ['a block that is never closed', '<think>why </thin', { reasoning: 'why </thin', text: '' }],
    ['an opening tag that is never whole', '<thi', { reasoning: '', text: '<thi' }],
    [
      'a tag that turns out to be another',
      '<thinking>why</thinking>',
      { reasoning: '', text: '<thinking>why</thinking>' },
    ],
    ['a block that comes later', 'Hm <think>why</think>', { reasoning: '', text: 'Hm <think>why</think>' }],
    ['a second block', '<think>a</think>b<think>c</think>', { reasoning: 'a', text: 'b<think>c</think>' }],
    ['an opening tag in the block', '<think>a<think>b</think>c', { reasoning: 'a<think>b', text: 'c' }],
    ['tags of another case', '<Think>why</Think>', { reasoning: '', text: '<Think>why</Think>' }],
    [
      'what only looks like the end',
      '<think>a</</think</think >b</think>c',
      { reasoning: 'a</</think</think >b', text: 'c' },
    ],
    ['a closing tag alone', 'a</think>b', { reasoning: '', text: 'a</think>b' }],
    ['white space alone', ' \n ', { reasoning: '', text: ' \n ' }],
    [
      'much white space before a tag',
      `${' '.repeat(65)}<think>a`,
      { reasoning: '', text: `${' '.repeat(65)}<think>a` },
    ],
    ['as much white space as is allowed', `${' '.repeat(64)}<think>a`, { reasoning: 'a', text: '' }],
    ['emoji', '<think>🤔</think>😀', { reasoning: '🤔', text: '😀' }],
  ])('splits %s, however it arrives', (_what, whole, expected) => {
    for (const pieces of everyChunking(whole)) {
      expect({ pieces, ...split(pieces) }).toEqual({ pieces, ...expected });
    }
  });

  it('gives the same at any chunking', () => {
    const parts = fc.array(
      fc.constantFrom('<think>', '</think>', '<', '</', 'think>', ' ', '\n', 'a', '😀'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(
        parts.map((words) => words.join('')).chain((text) => fc.tuple(fc.constant(text), chunkingOf(text))),
        ([text, pieces]) => {
          expect(split(pieces)).toEqual(split([text]));
        },
      ),
    );
  });

  it('hands on every piece at once, but for a partial tag', () => {
    const sink = new DeltaRecorder();
    const stage = new ReasoningSplitterStage(sink);
    const sizes: number[] = [];
    for (const piece of ['<think>', 'one ', 'two <', '/thin', 'g </think', '>', '\n', 'three', ' <']) {
      stage.text(piece);
      sizes.push(sink.pieces.length);
    }
    expect(sizes).toEqual([0, 1, 2, 2, 3, 3, 3, 4, 5]);
    expect(sink.pieces).toEqual([
      ['reasoning', 'one '],
      ['reasoning', 'two '],
      ['reasoning', '</thing '],
      ['text', 'three'],
      ['text', ' <'],
    ]);
  });

  it('takes tags for text once the upstream reports reasoning in a field of its own', () => {
    const sink = new DeltaRecorder();
    const stage = new ReasoningSplitterStage(sink);
    stage.reasoning('why');
    stage.text('<think>');
    stage.reasoning(' not');
    stage.text('a</think>');
    stage.flush();
    expect(sink.pieces).toEqual([
      ['reasoning', 'why'],
      ['text', '<think>'],
      ['reasoning', ' not'],
      ['text', 'a</think>'],
    ]);
  });

  it('releases what it holds before reasoning or a tool call that comes first', () => {
    const delta = { index: 0, id: 'call_1', name: 'f', arguments: '{}' };
    const sink = new DeltaRecorder();
    const beforeCall = new ReasoningSplitterStage(sink);
    beforeCall.text('\n<th');
    beforeCall.toolCall(delta);
    beforeCall.text('<think>');
    const beforeReasoning = new ReasoningSplitterStage(sink);
    beforeReasoning.text('\n');
    beforeReasoning.reasoning('why');
    expect(sink.pieces).toEqual([
      ['text', '\n<th'],
      ['toolCall', delta],
      ['text', '<think>'],
      ['text', '\n'],
      ['reasoning', 'why'],
    ]);
  });

  it('hands reasoning to a sink of its own', () => {
    const sink = new DeltaRecorder();
    const thoughts = new DeltaRecorder();
    feed(new ReasoningSplitterStage(sink, thoughts), ['<think>why</think>Because']);
    expect(sink.pieces).toEqual([['text', 'Because']]);
    expect(thoughts.pieces).toEqual([['reasoning', 'why']]);
  });

  it('hands on white space without end behind the marker of an answer', async () => {
    const pieces = (count: number): string[] => [
      '<|channel|>final<|message|>Done<|return|>',
      ...Array.from({ length: count }, () => '\n'),
    ];
    expect(split(pieces(64)).text).toBe('Done');
    expect(split(pieces(65)).text).toBe(`Done${'\n'.repeat(65)}`);
    await cpuPace.expectOnceWithin(() => cpuMs(() => split(pieces(100_000))), 1000);
  });

  it('passes a block of 200 KB in small pieces in linear time', async () => {
    const text = `<think>${'<a </b '.repeat(30_000)}</think>done`;
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => expect(split(inPieces(text, 2)).text).toBe('done')),
      1000,
    );
  });
});
