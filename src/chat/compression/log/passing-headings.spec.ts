import { describe, expect, it } from '@jest/globals';
import { passingHeadings } from './passing-headings.js';

describe('passingHeadings', () => {
  it('finds the lines above passed tests alone', () => {
    const lines = [
      'Stock',
      '  #count',
      '    ok',
      '    ok',
      'Cart',
      '  #add',
      '    ok',
      '    bad',
      'Mail',
      '  ok',
    ];
    const kinds = lines.map((line) => (line.endsWith('ok') ? 'passing' : 'plain'));
    expect([...passingHeadings(lines, kinds)].toSorted((a, b) => a - b)).toEqual([0, 1, 8]);
    expect(passingHeadings(lines.slice(0, 2), ['plain', 'plain'])).toEqual(new Set());
  });
});
