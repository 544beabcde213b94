import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { lastTokenBoundary, splitLongRuns } from './token-boundary.js';

const word = fc.constantFrom('foo', 'Bar', 'naïve', 'é', '你好', 'हिन्दी', '😀', "'s", "'", '12345', '7', '_');
const between = fc.constantFrom(' ', '  ', '\n', '\r\n', '\t', '.', ', ', '/', '}\n/', '!!', '(', '́', '"');
const sample = fc.array(fc.oneof(word, between), { maxLength: 12 }).map((parts) => parts.join(''));

describe('lastTokenBoundary', () => {
  it.each<[string, number]>([
    ['', 0],
    ['foo', 0],
    ['foo ', 3],
    ['foo bar', 3],
    ['foo bar.', 7],
    ["don't", 0],
    ['a😀', 0],
    ['version 12', 7],
    ['你好，世界', 2],
    ['=====', 0],
  ])('of %j is %d', (text, index) => {
    expect(lastTokenBoundary(text)).toBe(index);
  });

  it('changes no token, whatever follows', () => {
    fc.assert(
      fc.property(sample, sample, (known, next) => {
        const cut = lastTokenBoundary(known);
        const whole = known + next;
        expect([...encode(whole.slice(0, cut)), ...encode(whole.slice(cut))]).toEqual(encode(whole));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('splitLongRuns', () => {
  it('leaves a text without long runs as it is', () => {
    const text = `${'x'.repeat(255)} ${'='.repeat(255)}a${' '.repeat(255)}${'7'.repeat(1000)}`;
    expect(splitLongRuns(text)).toEqual([text]);
    expect(splitLongRuns('')).toEqual(['']);
  });

  it('cuts long runs only, and no character in half', () => {
    expect(splitLongRuns(`ab ${'x'.repeat(600)} cd${'😀'.repeat(300)}`)).toEqual([
      `ab ${'x'.repeat(256)}`,
      'x'.repeat(256),
      `${'x'.repeat(88)} cd${'😀'.repeat(256)}`,
      '😀'.repeat(44),
    ]);
  });
});
