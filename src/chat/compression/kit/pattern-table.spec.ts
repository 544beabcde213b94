import { describe, expect, it } from '@jest/globals';
import { anyWord, compilePattern, inSequence } from './pattern-table.js';

describe('compilePattern', () => {
  const pattern = compilePattern({
    before: /^ {0,2}/,
    alternatives: [
      ['a letter', /a|b/, 'a;'],
      ['a number', /\d{1,3}/, '12;'],
    ],
    after: /;$/,
    flags: 'i',
  });

  it('puts every alternative between the shared patterns', () => {
    expect(['a;', '  B;', ' 123;'].filter((text) => !pattern.test(text))).toEqual([]);
    expect(['a', '   a;', 'a;;', '1234;', 'x;'].filter((text) => pattern.test(text))).toEqual([]);
  });

  it('joins alternatives alone if the table has nothing else', () => {
    expect(compilePattern({ alternatives: [['a', /a/, 'a']] }).source).toBe('(?:a)');
  });
});

describe('anyWord', () => {
  it('finds words also within others, with the flag in any case', () => {
    const words = anyWord(['fail', 'timed out'], 'i');
    expect(['FAILED', 'it timed out', 'fine'].map((text) => words.test(text))).toEqual([true, true, false]);
    expect(anyWord(['fail']).test('FAILED')).toBe(false);
  });

  it('escapes special characters', () => {
    expect(['nx.json', 'nx-json'].map((text) => anyWord(['nx.']).test(text))).toEqual([true, false]);
  });
});

describe('inSequence', () => {
  it('keeps the groups of its parts in order', () => {
    expect(
      inSequence([/^(\d+)/, / ([a-z]+)$/], 'i')
        .exec('12 Ab')
        ?.slice(1),
    ).toEqual(['12', 'Ab']);
  });
});
