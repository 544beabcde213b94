import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { LineSplitter, LineTooLongError } from './line-splitter.js';

/** A slow and plain reading of the rule, to compare with. */
function expectedLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function split(pieces: readonly string[], limit?: number): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line), limit);
  for (const piece of pieces) {
    splitter.push(piece);
  }
  splitter.end();
  return lines;
}

function cut(text: string, positions: readonly number[]): string[] {
  const sorted = [0, ...positions.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((to, index) => text.slice(sorted[index], to));
}

const text = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', 'a', 'bc', ' ', 'é😀', '\uFEFF'))
  .map((parts) => parts.join(''));

describe('LineSplitter', () => {
  it('ends lines at LF, CRLF and CR, and keeps empty ones', () => {
    expect(split(['a\nb\r\nc\rd\n\n\r\n\r\re'])).toEqual(['a', 'b', 'c', 'd', '', '', '', '', 'e']);
  });

  it('gives the same lines at every split position', () => {
    const whole = '\uFEFFone\r\ntwo\n\nthree\r\r\n😀four\r\n\r\nfive';
    for (let at = 0; at <= whole.length; at++) {
      expect(split([whole.slice(0, at), whole.slice(at)])).toEqual(expectedLines(whole));
    }
    expect(split([...whole])).toEqual(expectedLines(whole));
  });

  it('gives the same lines however the text is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (whole, positions) => {
        expect(split(cut(whole, positions))).toEqual(expectedLines(whole));
      }),
    );
  });

  it('reports a line as soon as its CR is seen, and does not take a late LF for another line', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    splitter.push('a\r');
    expect(lines).toEqual(['a']);
    splitter.push('\nb\n');
    expect(lines).toEqual(['a', 'b']);
  });

  it('drops one byte order mark at the beginning, no other', () => {
    expect(split(['\uFEFF', '\uFEFFa\n\uFEFFb'])).toEqual(['\uFEFFa', '\uFEFFb']);
  });

  it('reports nothing for no input', () => {
    expect(split([])).toEqual([]);
    expect(split(['', ''])).toEqual([]);
  });

  it.each([
    ['in one piece', ['12345678', '\n']],
    ['with its end in the same piece', ['12345678\n']],
    ['in many pieces', [...'12345678', '\n']],
  ])('takes a line at the limit and refuses a longer one, %s', (_how, pieces) => {
    expect(split(pieces, 8)).toEqual(['12345678']);
    expect(() => split(['ok\n', '9', ...pieces], 8)).toThrow(LineTooLongError);
  });

  it('takes time in proportion to a long line in tiny pieces', async () => {
    const pieces = new Array<string>(512 * 1024).fill('0123456789abcdef');
    let lines: readonly string[] = [];
    // About 50 ms; a scan from the line's start at each piece would read 2 TB.
    await cpuPace.expectOnceWithin(() => cpuMs(() => (lines = split([...pieces, '\n']))), 5000);
    expect(lines).toEqual([pieces.join('')]);
  });
});
