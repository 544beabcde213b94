import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { templateOf } from '../kit/line-template.js';
import { joinNamed, joinSimilar, unusualLines } from './line-groups.js';

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

  it('joins what is said of different names at the beginning and within lines', () => {
    const template = (letter: string, at: number): string =>
      `${letter}${letter} Load # ms SELECT FROM ${'xyz'.charAt(at % 3)}s WHERE id #`;
    const groups = [...'abcdefghijklmnopqrstuvwxyz'].map((letter, at) => ({
      template: template(letter, at),
      lines: [at],
    }));
    expect(joinSimilar(groups, () => true)).toHaveLength(1);
  });
});

describe('joinNamed', () => {
  const groupsOf = (names: readonly string[]): { template: string; lines: number[] }[] =>
    names.map((name, at) => ({
      template: `# sshd Failed password for ${name} from #`,
      lines: [at * 2, at * 2 + 1],
    }));
  const names = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `user${letter}`);

  it('joins failures that differ in many names, but no one that comes once', () => {
    const odd = { template: '# sshd Accepted password for root from #', lines: [99] };
    expect(joinNamed([...groupsOf(names), odd]).map(({ lines }) => lines.length)).toEqual([52, 1]);
  });

  it('joins no failures of a few kinds', () => {
    expect(joinNamed(groupsOf(names.slice(0, 5)))).toHaveLength(5);
  });
});

describe('unusualLines', () => {
  it('finds the only value of another form among a dozen', () => {
    const texts = range(1, 14).map((at) => `Image: shop/cart${at}:${at === 9 ? 'debug' : `3.${at}.0`}`);
    const group = { template: 'Image #', lines: [...texts.keys()] };
    expect(unusualLines(group, (line) => texts[line] ?? '')).toContain(8);
  });

  it('finds the only other value of a name among the lines of names that were joined', () => {
    const texts = range(0, 29).flatMap((at) => [
      `+ port = ${8000 + at}`,
      `+ size = "s-${at === 17 ? 64 : 2}vcpu"`,
    ]);
    const group = { template: '+ * #', lines: [...texts.keys()] };
    const found = unusualLines(group, (line) => texts[line] ?? '');
    expect(found).toContain(texts.indexOf('+ size = "s-64vcpu"'));
    expect(found.size).toBeLessThan(5);
  });

  it('finds none among values of a form of their own each', () => {
    const texts = [...'abcdefghijklmnopqrstuvwxyz'].map(
      (letter) => `Get ${letter.repeat(3)}.${letter}/1 now`,
    );
    const group = { template: 'Get # now', lines: [...texts.keys()] };
    expect(unusualLines(group, (line) => texts[line] ?? '').size).toBe(0);
  });
});
