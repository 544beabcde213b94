import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { tableStrategy } from './table.strategy.js';

const condense = (text: string): string | undefined => tableStrategy.condense(text, strategyContext());

describe('tableStrategy', () => {
  it('keeps the first, last and unusual rows of aligned columns', () => {
    const row = (number: number): string =>
      `api-${number}     1/1     ${number === 20 ? 'CrashLoopBackOff' : 'Running         '}   ${number === 20 ? 57 : 0}          5d`;
    expect(
      condense(['NAME      READY   STATUS             RESTARTS   AGE', ...range(10, 49).map(row)].join('\n')),
    ).toBe(
      [
        'NAME  READY  STATUS  RESTARTS  AGE',
        ...range(10, 12).map((number) => `api-${number}  1/1  Running  0  5d`),
        '[… 7 rows omitted]',
        'api-20  1/1  CrashLoopBackOff  57  5d',
        '[… 27 rows omitted]',
        ...range(48, 49).map((number) => `api-${number}  1/1  Running  0  5d`),
        '[40 rows in all; STATUS: Running 39, CrashLoopBackOff 1; RESTARTS: 0 39, 57 1; in all rows READY: 1/1, AGE: 5d; distinct values NAME 40]',
      ].join('\n'),
    );
  });

  it('counts all cells of a row with an empty cell as missing', () => {
    const row = (number: number): string =>
      number === 20
        ? `box-${number}   up 2 days               web-x`
        : `box-${number}   up 2 days   80/tcp   web-${number % 2}`;
    const condensed =
      condense(['NAME     STATUS      PORTS    NAMES', ...range(10, 49).map(row)].join('\n')) ?? '';
    expect(condensed).toContain('box-20  up 2 days  web-x');
    expect(condensed.split('\n').at(-1)).toBe(
      '[40 rows in all; STATUS: up 2 days 39, missing 1; PORTS: 80/tcp 39, missing 1; NAMES: web-1 20, web-0 19, missing 1; distinct values NAME 39 (missing 1)]',
    );
  });

  it('numbers columns if the header has another number of words', () => {
    const rows = range(10, 40).map((number) => `  ${number}7  2025-01-01 10:${number}   a${number}.ts`);
    const condensed = condense(['Length      Date    Time    Name', ...rows].join('\n')) ?? '';
    expect(condensed.split('\n').at(-1)).toMatch(/^\[31 rows in all; column 1: 107 to 407; column 2: /);
  });

  it('takes a command line as one cell', () => {
    const row = (number: number): string =>
      `root ${number} 0.${number % 3} 1.0 /usr/bin/node --flag ${number} a b c`;
    const condensed = condense(['USER PID %CPU %MEM COMMAND', ...range(1, 30).map(row)].join('\n')) ?? '';
    expect(condensed.split('\n').at(-1)).toBe(
      '[30 rows in all; PID: 1 to 30; %CPU: 0.1 10, 0.2 10, 0.0 10; in all rows USER: root, %MEM: 1.0; distinct values COMMAND 30]',
    );
  });

  it.each([
    ['Markdown', ['| id | state |', '|----|:-----:|'], (number: number) => `| ${number} | ok |`],
    ['a database', [' id | state ', '----+-------'], (number: number) => ` ${number} | ok`],
    ['a box', ['┌────┬────┐', '│ id │ state │', '├────┼────┤'], (number: number) => `│ ${number} │ ok │`],
  ])('reads tables as drawn by %s', (_name, head, row) => {
    const condensed =
      condense([...head, ...range(1, 30).map(row), '(30 rows)'].join('\n'))?.split('\n') ?? [];
    expect(condensed.slice(-2)).toEqual([
      '[30 rows in all; id: 1 to 30; in all rows state: ok]',
      '(30 rows)',
    ]);
    expect(condensed).toContain('[… 25 rows omitted]');
  });

  it.each([
    ['a short table', '| a | b |\n|---|---|\n' + '| 1 | 2 |\n'.repeat(11)],
    [
      'prose with a table in it',
      'Words of a text.\n'.repeat(60) + '\n| a | b |\n|---|---|\n' + '| 1 | 2 |\n'.repeat(20),
    ],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });
});
