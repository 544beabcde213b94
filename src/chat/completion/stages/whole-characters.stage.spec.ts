import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  chunkingOf,
  DeltaRecorder,
  everyChunking,
  feed,
} from '../../../../test/support/watch/delta-recorder.js';
import { WholeCharactersStage } from './whole-characters.stage.js';

function pass(pieces: readonly string[]): string[] {
  const sink = new DeltaRecorder();
  feed(new WholeCharactersStage(sink), pieces);
  return sink.pieces.map(([, text]) => text as string);
}

describe('WholeCharactersStage', () => {
  it('keeps emoji whole, wherever they are cut', () => {
    const text = 'a😀b👩‍👩‍👧é';
    for (const pieces of everyChunking(text)) {
      const passed = pass(pieces);
      expect(passed.join('')).toBe(text);
      expect(passed.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true);
    }
  });

  it.each<[string, string[], string[]]>([
    ['waits for the other half', ['a\ud83d', '\ude00b'], ['a', '😀b']],
    ['waits over an empty piece', ['\ud83d', '', '\ude00'], ['😀']],
    ['replaces a half that has no other', ['\ud83d', 'a', '\ude00'], ['\ufffda', '\ufffd']],
    ['replaces a half at the very end', ['a', '\ud83d'], ['a', '\ufffd']],
    ['replaces the first of two halves of a kind', ['\ud83d', '\ud83d\ude00'], ['\ufffd😀']],
    ['passes no empty pieces', ['', 'a', ''], ['a']],
  ])('%s', (_what, pieces, expected) => {
    expect(pass(pieces)).toEqual(expected);
  });

  it('gives the same at any chunking', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '\udbff'), maxLength: 10 });
    fc.assert(
      fc.property(
        text.chain((whole) => fc.tuple(fc.constant(whole), chunkingOf(whole))),
        ([whole, pieces]) => {
          expect(pass(pieces).join('')).toBe(whole.toWellFormed());
        },
      ),
    );
  });

  it('joins text, reasoning and arguments each for itself', () => {
    const sink = new DeltaRecorder();
    const stage = new WholeCharactersStage(sink);
    stage.text('a\ud83d');
    stage.reasoning('b\ud83e');
    stage.toolCall({ index: 0, id: 'call_1', name: 'f', arguments: '"\ud83d' });
    stage.text('\ude00');
    stage.reasoning('\udd14');
    stage.toolCall({ index: 0, arguments: '\ude80"' });
    stage.toolCall({ index: 0, arguments: '' });
    stage.flush();
    expect(sink.pieces).toEqual([
      ['text', 'a'],
      ['reasoning', 'b'],
      ['toolCall', { index: 0, id: 'call_1', name: 'f', arguments: '"' }],
      ['text', '😀'],
      ['reasoning', '🤔'],
      ['toolCall', { index: 0, arguments: '🚀"' }],
    ]);
  });
});
