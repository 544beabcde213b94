import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { isPrinted } from './repetition.js';
import { looksLikeCode } from './source-looks.js';

function isPrintedLines(count: number, line: (number: number) => string): boolean {
  const text = range(1, count).map(line).join('\n');
  return isPrinted(text, looksLikeCode(text));
}

/** A word that no other number has. */
function word(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

describe('isPrinted', () => {
  it.each([
    ['settings of a kernel', (number: number) => `net.if${number}.mtu = ${number % 3}`],
    ['records of assignments', (number: number) => (number % 2 ? `id = ${number}` : 'state = open')],
    [
      'steps of a run',
      (number: number) => `${number % 2 ? 'Trying rule' : 'Rejecting rule'} with stem 'a${number}'.`,
    ],
    ['statements line for line', (number: number) => `INSERT INTO orders VALUES(${number},'paid');`],
  ])('takes %s for printed', (_name, line) => {
    expect(isPrintedLines(120, line)).toBe(true);
    // What is short costs little.
    expect(isPrintedLines(90, line)).toBe(false);
  });

  it.each([
    ['settings', (number: number) => `${word(number)}.${word(number * 7)}: ${word(number * 3)}`],
    ['prose', (number: number) => `The ${word(number)} of ${word(number * 3)} is ${word(number * 7)}.`],
    [
      'generated code',
      (number: number) => ['export function f(x) {', '  return a(x);', '}'][number % 3] ?? '',
    ],
  ])('takes %s for written', (_name, line) => {
    expect(isPrintedLines(300, line)).toBe(false);
  });
});
