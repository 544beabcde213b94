import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { templateOf } from '../kit/line-template.js';
import { joinSimilar, unusualLines } from './line-groups.js';

describe('joinSimilar', () => {
  it('joins what is said of different names at the beginning of lines, but not names with a number alone', () => {
    const letters = [...'abcdefghijklmnop'];
    const texts = letters.flatMap((letter) => [
      `queue_${letter}: Refreshing state... [id=${letter}-1]`,
      `total_${letter} 12`,
    ]);
    const groups = texts.map((text, line) => ({ template: templateOf(text), lines: [line] }));
    const joined = joinSimilar(groups, () => true).map(({ lines }) => lines.length);
    expect(joined.sort((a, b) => b - a).slice(0, 2)).toEqual([16, 1]);
  });
});

describe('unusualLines', () => {
  it('finds the only value of another form among a dozen', () => {
    const texts = range(1, 14).map((at) => `Image: shop/cart${at}:${at === 9 ? 'debug' : `3.${at}.0`}`);
    const group = { template: 'Image #', lines: [...texts.keys()] };
    expect(unusualLines(group, (line) => texts[line] ?? '')).toContain(8);
  });
});
