import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { csvStrategy } from './csv.strategy.js';

const condense = (text: string): string | undefined => csvStrategy.condense(text, strategyContext());

describe('csvStrategy', () => {
  it.each([',', ';', '\t'])(
    'keeps header, ends and unusual rows of a table with %j between its cells',
    (comma) => {
      const row = (number: number): string =>
        [number, number === 25 ? 'failed' : 'ok', number === 30 ? 99999.5 : 10 + (number % 5)].join(comma);
      expect(condense([`id${comma}state${comma}cost`, ...range(1, 50).map(row)].join('\n'))).toBe(
        [
          ['id', 'state', 'cost'].join(comma),
          ...[1, 2, 3].map(row),
          '[… 21 rows omitted]',
          row(25),
          '[… 4 rows omitted]',
          row(30),
          '[… 18 rows omitted]',
          ...[49, 50].map(row),
          '[50 rows in all; id: 1 to 50; state: ok 49, failed 1; cost: 11 10, 12 10, 13 10, 14 10, 10 9, 99999.5 1]',
        ].join('\n'),
      );
    },
  );

  it('respects quotes', () => {
    const lines = range(1, 30).map((number) => `${number},"a, b",x`);
    expect(
      condense(`id,name,x\n${lines.join('\n')}`)
        ?.split('\n')
        .at(-1),
    ).toBe('[30 rows in all; id: 1 to 30; in all rows name: a, b, x: x]');
  });

  it('treats a first line as a row if a column repeats its value', () => {
    const lines = range(1, 40).map((number) => `${number % 3 ? 'done' : 'open'}\ttask ${number}\tmain`);
    expect(condense(lines.join('\n'))?.split('\n').at(-1)).toMatch(/^\[40 rows in all; column 1: /);
  });

  it('treats a first line with a time as a row', () => {
    const lines = range(10, 40).map((minute) => `2025-01-01 10:${minute}:00,up,a`);
    expect(condense(lines.join('\n'))?.split('\n').at(-1)).toMatch(/^\[31 rows in all; column 1: /);
  });

  it.each([
    [
      'files with their sizes',
      'api mail pool clock store page user chart token queue log key'
        .split(' ')
        .map((name, index) => `${index * 7}\tsrc/${name}.ts\n`)
        .join('')
        .repeat(1) + '4\tsrc/a.ts\n8\tsrc/b.ts\n',
    ],
    ['sentences with commas', 'First, this; second, that.\nAnd then, well, nothing, really.\n'.repeat(20)],
    ['a few rows', 'a,b,c\n'.repeat(12)],
    ['lines of a log behind their job', 'build\ttest\t2025-01-01 10:00:00 something was done\n'.repeat(30)],
    ['lists of a program', '[1, 2, 3],\n'.repeat(30)],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });
});
