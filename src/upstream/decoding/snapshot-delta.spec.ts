import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppendDelta, SnapshotDelta, type TextDelta } from './snapshot-delta.js';

function passOn(delta: TextDelta, texts: readonly string[]): string[] {
  return [...texts.map((text) => delta.push(text)), delta.end()];
}

function snapshotsOf(pieces: readonly string[]): string[] {
  return pieces.map((_piece, index) => pieces.slice(0, index + 1).join(''));
}

describe('SnapshotDelta', () => {
  it('passes on what each snapshot adds', () => {
    expect(passOn(new SnapshotDelta(), ['He', 'Hello', 'Hello', 'Hello you'])).toEqual([
      'He',
      'llo',
      '',
      ' you',
      '',
    ]);
  });

  it('passes on nothing for an older snapshot', () => {
    expect(passOn(new SnapshotDelta(), ['Hello', 'He', '', 'Hello!'])).toEqual(['Hello', '', '', '!', '']);
  });

  it('passes on all from the first difference when text is changed, and counts it', () => {
    const delta = new SnapshotDelta();
    expect(passOn(delta, ['Hello wor▌', 'Hello world', 'Hello world!'])).toEqual([
      'Hello wor▌',
      'ld',
      '!',
      '',
    ]);
    expect(delta.revisions).toBe(1);
  });

  it('never ends a piece within a surrogate pair', () => {
    const text = 'a😀b😀';
    const snapshots = [...text.split('')].map((_unit, index) => text.slice(0, index + 1));
    expect(passOn(new SnapshotDelta(), snapshots)).toEqual(['a', '', '😀', 'b', '', '😀', '']);
  });

  it('sends a whole character when only its second half differs', () => {
    expect(passOn(new SnapshotDelta(), ['x😀', 'x😁'])).toEqual(['x😀', '😁', '']);
  });

  it('gives back the half that the upstream ended with', () => {
    expect(passOn(new SnapshotDelta(), ['x\ud83d'])).toEqual(['x', '\ud83d']);
  });

  it('adds up to the last snapshot', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (pieces) => {
        expect(passOn(new SnapshotDelta(), snapshotsOf(pieces)).join('')).toBe(pieces.join(''));
      }),
    );
  });
});

describe('AppendDelta', () => {
  it('passes pieces on as they are', () => {
    expect(passOn(new AppendDelta(), ['', 'He', 'llo', ' ', ' you'])).toEqual([
      '',
      'He',
      'llo',
      ' ',
      ' you',
      '',
    ]);
  });

  it.each([
    [
      'the same piece again',
      ['ha', 'ha', 'ha ha ha ha ha ha ha ha'],
      ['ha', 'ha', 'ha ha ha ha ha ha ha ha', ''],
    ],
    ['two growing pieces', ['\n', '\n\n', 'x'], ['\n', '', '\n\nx', '']],
    ['growing white space', [' ', '  ', ' '.repeat(40), 'x'], [' ', '', '', `  ${' '.repeat(40)}x`, '']],
    ['two growing pieces and the end', ['Hi', 'Hi!'], ['Hi', '', 'Hi!']],
  ])('does not take %s for a cumulative upstream', (_what, pieces, expected) => {
    expect(passOn(new AppendDelta(), pieces)).toEqual(expected);
  });

  it('finds out that an upstream is cumulative, and repeats nothing', () => {
    const snapshots = snapshotsOf(['The ', 'quick ', 'brown fox ', 'jumps ', '😀 over']);
    expect(passOn(new AppendDelta(), snapshots)).toEqual([
      'The ',
      '',
      'quick brown fox ',
      'jumps ',
      '😀 over',
      '',
    ]);
  });

  it('decides at the end for a short answer', () => {
    expect(passOn(new AppendDelta(), snapshotsOf(['I', ' am', ' ok']))).toEqual(['I', '', '', ' am ok']);
  });

  it('adds up to the pieces of an upstream that appends', () => {
    // Pieces that begin with a number of their own are never nested.
    const pieces = fc.array(fc.string()).map((texts) => texts.map((text, index) => `${index}${text}`));
    fc.assert(
      fc.property(pieces, (texts) => {
        expect(passOn(new AppendDelta(), texts).join('')).toBe(texts.join(''));
      }),
    );
  });

  it('adds up to the last snapshot of an upstream that is cumulative', () => {
    const pieces = fc.array(fc.string({ minLength: 1 }), { minLength: 3 });
    fc.assert(
      fc.property(pieces, (texts) => {
        expect(passOn(new AppendDelta(), snapshotsOf(texts)).join('')).toBe(texts.join(''));
      }),
    );
  });
});
