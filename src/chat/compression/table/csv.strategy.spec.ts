import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { csvStrategy } from './csv.strategy.js';

const condense = (text: string): string | undefined => csvStrategy.condense(text, strategyContext());

describe('csvStrategy', () => {
  it('parts cells by tabs where they hold commas', () => {
    const checks = range(1, 40).map(
      (number) =>
        `unit (node ${number % 3}, linux, shard ${'abcdefgh'.charAt(number % 8)}${number})\t${number === 9 ? 'fail' : 'pass'}\t${number * 7}s`,
    );
    const condensed = condense(checks.join('\n')) ?? '';
    expect(condensed.split('\n').at(-1)).toContain('column 2: pass 39, fail 1');
  });

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

  it('reads a cell with line breaks in quotes as one', () => {
    const broken = (id: string): string => `${id},"line a\n\n  line ""b"", c",x`;
    const rows = range(1, 200).map((number) =>
      number % 50 === 20 ? broken(String(number)) : `${number},ok,5" disk`,
    );
    expect(condense(`id,note,what\n${rows.join('\n')}\n`)?.split('\n')).toEqual([
      'id,note,what',
      ...rows.slice(0, 3),
      '[… 16 rows omitted]',
      ...['20', '70', '120'].flatMap((id) => [...broken(id).split('\n'), '[… 49 rows omitted]']),
      ...broken('170').split('\n'),
      '[… 28 rows omitted]',
      ...rows.slice(-2),
      '[200 rows in all; id: 1 to 200; note: ok 196, line a  line ""b"", c 4; what: 5" disk 196, x 4]',
    ]);
  });

  it('shows lines behind the rows as they are', () => {
    const rows = range(1, 300).map((number) => `${number},ok,x`);
    const footer = ['(300 rows)', 'Time: 12 ms', '[exit code: 0]'];
    expect(condense(['id,state,what', ...rows, '', ...footer].join('\n'))?.split('\n')).toEqual([
      'id,state,what',
      ...rows.slice(0, 3),
      '[… 295 rows omitted]',
      ...rows.slice(-2),
      '[300 rows in all; id: 1 to 300; in all rows state: ok, what: x]',
      ...footer,
    ]);
  });

  it('treats a first line as a row if a column repeats its value', () => {
    const lines = range(1, 40).map((number) => `${number % 3 ? 'done' : 'open'}\ttask ${number}\tmain`);
    expect(condense(lines.join('\n'))?.split('\n').at(-1)).toMatch(/^\[40 rows in all; column 1: /);
  });

  it.each([
    ['a hash', (number: number) => `${number === 1 ? '1a2b3c4d5e' : `beef${number + 100}fee`},on,x`],
    [
      'a file',
      (number: number) => `${number === 1 ? 'READ-ME.md' : `a${number}.${number % 2 ? 'md' : 'ts'}`},on,x`,
    ],
  ])('treats a first line with %s among such as a row', (_name, line) => {
    const lines = range(1, 40).map(line);
    expect(condense(lines.join('\n'))?.split('\n').at(-1)).toMatch(/^\[40 rows in all; /);
  });

  it('treats names of nested fields as a header', () => {
    const lines = [
      'user.name,user.p95,on',
      ...range(1, 40).map((number) => `a${number}.com,${number + 100},x`),
    ];
    expect(condense(lines.join('\n'))?.split('\n')[0]).toBe(lines[0]);
  });

  it.each(['2024-01', '1990-2000', '2024-feb'])('treats a first line with %s as a header', (period) => {
    const lines = [`region,${period},sum`, ...range(1, 40).map((number) => `r${number},${number * 3},x`)];
    expect(condense(lines.join('\n'))).toContain('[40 rows in all; ');
  });

  it('treats a first line with a UUID as a row', () => {
    const lines = range(1, 40).map(
      (number) => `${number}000000f-0000-4000-8000-0000000000${number + 10},${'ab'.charAt(number % 2)},x`,
    );
    expect(condense(lines.join('\n'))).toContain('[40 rows in all; column 2: ');
  });

  it('leaves commits in a format of their own to those who read their subjects', () => {
    const lines = range(1, 40).map((number) => `${number}abc1234|Ada|2025-01-01|pool: decide case ${number}`);
    const ran = (command: string): string | undefined =>
      csvStrategy.condense(lines.join('\n'), strategyContext('bash', { command }));
    expect(ran("git -C app log --format='%h|%an|%ad|%s'")).toBeUndefined();
    expect(ran("git log --format='%h|%an|%ad|%s' $(git merge-base a b)..b | head -50")).toBeUndefined();
    expect(ran('git show HEAD:export.csv')).toContain('[40 rows in all; ');
    expect(ran('git log -1 --oneline; psql -A -c q')).toContain('[40 rows in all; ');
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
    ['a few rows of many lines', `a,b,c\n${'1,2,"x\ny\nz"\n'.repeat(11)}`],
    ['lines of a log behind their job', 'build\ttest\t2025-01-01 10:00:00 something was done\n'.repeat(30)],
    ['lists of a program', '[1, 2, 3],\n'.repeat(30)],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });
});
