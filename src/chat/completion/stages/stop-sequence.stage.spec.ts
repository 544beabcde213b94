import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs, expectCostRatio } from '../../../../test/support/watch/cpu-time.js';
import {
  chunkingOf,
  DeltaRecorder,
  everyChunking,
  feed,
} from '../../../../test/support/watch/delta-recorder.js';
import { partialSuffixLength } from './partial-suffix.js';
import { StopSequenceStage } from './stop-sequence.stage.js';

function stopAt(sequences: readonly string[], pieces: readonly string[]): { text: string; stopped: boolean } {
  const sink = new DeltaRecorder();
  feed(new StopSequenceStage(sink, sequences, () => sink.end('stop')), pieces, sink.reasons);
  expect(sink.pieces.every(([, text]) => text !== '')).toBe(true);
  return { text: sink.joined('text'), stopped: sink.reasons[0] === 'stop' };
}

/** The rule itself, a character at a time. */
function reference(sequences: readonly string[], text: string): { text: string; stopped: boolean } {
  for (let end = 1; end <= text.length; end++) {
    const found = sequences.filter((sequence) => text.slice(0, end).endsWith(sequence));
    if (found.length > 0) {
      const longest = Math.max(...found.map(({ length }) => length));
      return { text: text.slice(0, end - longest), stopped: true };
    }
  }
  return { text, stopped: false };
}

describe('StopSequenceStage', () => {
  it.each<[string, string[], string, string, boolean]>([
    ['nothing to stop at', ['END'], 'a b c', 'a b c', false],
    ['a sequence', ['END'], 'abcENDdef', 'abc', true],
    ['a sequence at the start', ['END'], 'END', '', true],
    ['part of a sequence at the end', ['END'], 'abcEN', 'abcEN', false],
    ['a false start', ['aab'], 'xaaab', 'xa', true],
    ['the first of two', ['\n\n', 'END'], 'aENDb\n\n', 'a', true],
    ['the one that is complete first', ['abcd', 'bc'], 'xabcd', 'xa', true],
    ['the longer of two that end together', ['bc', 'abc'], 'xabc', 'x', true],
    ['one that begins another', ['ab', 'abc'], 'xabc', 'x', true],
    ['an emoji', ['😀!'], 'a😀b😀!', 'a😀b', true],
  ])('finds %s, however it arrives', (_what, sequences, whole, text, stopped) => {
    for (const pieces of everyChunking(whole)) {
      expect({ pieces, ...stopAt(sequences, pieces) }).toEqual({ pieces, text, stopped });
    }
  });

  it('keeps the rule at any chunking', () => {
    const word = (maxLength: number): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength });
    const sequence = word(4).filter((text) => text !== '');
    const cases = word(20).chain((text) =>
      fc.tuple(fc.constant(text), chunkingOf(text), fc.array(sequence, { minLength: 1, maxLength: 4 })),
    );
    fc.assert(
      fc.property(cases, ([text, pieces, sequences]) => {
        expect(stopAt(sequences, pieces)).toEqual(reference(sequences, text));
      }),
      { numRuns: 1000 },
    );
  });

  it('holds back less than the longest sequence', () => {
    const sink = new DeltaRecorder();
    const stage = new StopSequenceStage(sink, ['aaab', 'c'], () => sink.end('stop'));
    stage.text('a'.repeat(100));
    expect(sink.joined('text')).toBe('a'.repeat(97));
    stage.text('x');
    expect(sink.joined('text')).toBe(`${'a'.repeat(100)}x`);
  });

  it('lets reasoning pass, and text before the tool call that follows it', () => {
    const delta = { index: 0, id: 'call_1', name: 'f', arguments: '{}' };
    const sink = new DeltaRecorder();
    const stage = new StopSequenceStage(sink, ['END'], () => sink.end('stop'));
    stage.reasoning('the END');
    stage.text('E');
    stage.toolCall(delta);
    stage.text('ND');
    stage.flush();
    expect(sink.pieces).toEqual([
      ['reasoning', 'the END'],
      ['text', 'E'],
      ['toolCall', delta],
      ['text', 'ND'],
    ]);
    expect(sink.reasons).toEqual([]);
  });

  it('costs the same whatever the sequences have in common with the text', () => {
    const pieces = Array.from({ length: 2000 }, () => 'a'.repeat(16));
    const sequences = (unit: string) =>
      Array.from({ length: 64 }, (_, index) => `${unit.repeat(500)}b${unit.repeat(497)}${index}`);
    const stop = (all: readonly string[]) => cpuMs(() => expect(stopAt(all, pieces).stopped).toBe(false));
    expectCostRatio({ small: () => stop(sequences('x')), large: () => stop(sequences('a')) }, 20);
  });
});

describe('partialSuffixLength', () => {
  it('finds the longest end that could begin the marker', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 }),
        (text, marker) => {
          const lengths = Array.from({ length: marker.length }, (_, length) => length);
          const expected = lengths.filter((length) => text.endsWith(marker.slice(0, length))).at(-1);
          expect(partialSuffixLength(text, marker)).toBe(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
