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

  it('keeps the padding that shows which cell is empty, and reads the others', () => {
    const row = (number: number): string =>
      number % 4 === 1
        ? `box-${number}    Exited (${number === 21 ? 137 : 0})              web-${number}`
        : `box-${number}    Up 2 days      80/tcp    web-${number}`;
    const condensed = condense(
      ['BOX ID    STATUS         PORTS     NAMES', ...range(10, 49).map(row)].join('\n'),
    );
    expect(condensed?.split('\n')).toContain('box-21    Exited (137)              web-21');
    expect(condensed?.split('\n').at(-1)).toBe(
      '[40 rows in all; STATUS: Up 2 days 30, Exited (0) 9, Exited (137) 1; PORTS: 80/tcp 30, empty 10; distinct values BOX ID 40, NAMES 40]',
    );
  });

  it('reads names with a colon behind them, and lists the names of all rows but the one that has none', () => {
    const row = (number: number): string =>
      `${`${number}`.padStart(4)}:  ${number === 7 ? 'WEAK  ' : 'GLOBAL'}  ${`${number * 37}`.padStart(5)}  ${number === 0 ? '' : `${'abcdefghij'.charAt(number % 10)}_call${number * 3}`}`;
    const condensed = condense([' Num:  Bind      Size  Name', ...range(0, 99).map(row)].join('\n'));
    expect(condensed).toContain('; Name in order: –, b_call3, c_call6, ');
    expect(condensed).toContain('Bind: GLOBAL 99, WEAK 1');
  });

  it('reads columns with one blank between them, and numbers below the ends of their names', () => {
    const row = (number: number): string =>
      `${number === 20 ? '●' : ' '} unit-${number}.service loaded ${number === 20 ? 'failed failed' : 'active exited'} ${String(number * 9).padStart(5)} ${number % 3 === 0 ? '        ' : '12/node '} Unit of a system`;
    const header = '  UNIT            LOAD   ACTIVE SUB     SIZE PID/Prog DESCRIPTION';
    expect(
      condense([header, ...range(10, 49).map(row)].join('\n'))
        ?.split('\n')
        .at(-1),
    ).toBe(
      '[40 rows in all; ACTIVE: active 39, failed 1; SUB: exited 39, failed 1; SIZE: 90 to 441; PID/Prog: 12/node 27, empty 13; in all rows LOAD: loaded, DESCRIPTION: Unit of a system; distinct values UNIT 40]',
    );
  });

  it('reads a row that a wide cell has moved where blanks alone part the cells', () => {
    const row = (number: number): string =>
      `root  ${number === 20 ? '98765432' : String(number).padStart(5)} ${((number % 3) / 10).toFixed(1).padStart(4)} ?   Ss   /bin/worker ${number}`;
    const condensed =
      condense(['USER    PID %CPU TTY STAT COMMAND', ...range(10, 49).map(row)].join('\n')) ?? '';
    expect(condensed).toContain('root  98765432  0.2 ?  Ss  /bin/worker 20');
    expect(condensed.split('\n').at(-1)).toMatch(
      /^\[40 rows in all; PID: 10 to 98765432; %CPU: 0.1 14, 0.2 13, 0.0 13; in all rows USER: root, TTY: \?, STAT: Ss; /,
    );
  });

  it('shows rows whose cells are uncertain, and does not count them by column', () => {
    const row = (number: number): string =>
      number === 20
        ? 'a-name-that-is-far-too-long-for-it  Up            80/tcp    on'
        : `box-${number}    Up 2 days   ${number % 5 === 0 ? '      ' : '80/tcp'}    on`;
    const condensed = condense(
      ['NAME      STATUS      PORTS     STATE', ...range(10, 49).map(row)].join('\n'),
    );
    expect(condensed?.split('\n')).toContain(row(20));
    expect(condensed?.split('\n').at(-1)).toBe(
      '[40 rows in all, 1 of them not in these columns; PORTS: 80/tcp 32, empty 7; in all rows STATUS: Up 2 days, STATE: on; distinct values NAME 39]',
    );
  });

  it.each([
    [
      'aligned columns',
      'File         Stmts   Miss   Cover',
      '---------------------------------',
      (number: number) =>
        `src/${number}.py ${String(number).padStart(9)} ${String(number % 2).padStart(6)}     95%`,
    ],
    [
      'bars',
      'File | Stmts | Miss | Cover',
      '-----|-------|------|------',
      (number: number) => `src/${number}.py | ${number} | ${number % 2} | 95%`,
    ],
  ])('counts neither rulers nor the sums behind the last one as rows of %s', (_name, header, ruler, row) => {
    const sum = row(99).replace('src/99.py', 'All files');
    const condensed = condense([header, ruler, ...range(10, 49).map(row), ruler, sum].join('\n'))?.split(
      '\n',
    );
    expect(condensed?.at(-3)).toMatch(
      /^\[40 rows in all; Stmts: 10 to 49; Miss: 0 20, 1 20; in all rows Cover: 95%; /,
    );
    expect(condensed?.at(-1)).toMatch(/^All files .*95%$/);
  });

  it('numbers columns if the header has another number of words', () => {
    const rows = range(10, 40).map((number) => `${number}7   2025-01-01 10:${number}   a${number}.ts   x`);
    const condensed = condense(['Length  Changed  at  In  Name', ...rows].join('\n')) ?? '';
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

  it('leaves the cells of a database in their columns where the first is empty', () => {
    const row = (number: number): string =>
      ` ${String(number % 2 === 0 ? '' : number).padStart(6)} | n${number} | ${number === 20 ? 'broken' : 'ok'}`;
    const condensed = condense(
      [' parent | name | state ', '--------+-----+--------', ...range(10, 49).map(row)].join('\n'),
    );
    expect(condensed?.split('\n')).toContain('  | n20 | broken');
    expect(condensed?.split('\n').at(-1)).toBe(
      '[40 rows in all; parent: 11 to 49, empty 20; state: ok 39, broken 1; distinct values name 40]',
    );
  });

  it('takes the lines of a cell that goes on as one row', () => {
    const row = (number: number): string[] =>
      number % 5 === 0
        ? [` ${number} | one      +| ok    +`, `    | two       | then   `]
        : [` ${number} | one       | ${number === 21 ? 'C++' : 'ok'}`];
    const condensed = condense(
      [
        ' id |   note    | state  ',
        '----+-----------+--------',
        ...range(10, 49).flatMap(row),
        '(40 rows)',
      ].join('\n'),
    );
    expect(condensed?.split('\n').slice(-2)).toEqual([
      '[40 rows in all; id: 10 to 49; note: one 32, one two 8; state: ok 31, ok then 8, C++ 1]',
      '(40 rows)',
    ]);
  });

  it('takes a sign at the end of a cell in Markdown for a part of it', () => {
    const row = (number: number): string =>
      number % 3 === 0 ? `|${number}|C++|first of all|` : `|${number}|Go|second of all|`;
    const condensed = condense(
      ['|id|lang|note of the row|', '|--|---|---|', ...range(10, 49).map(row)].join('\n'),
    );
    expect(condensed?.split('\n').at(-1)).toBe(
      '[40 rows in all; id: 10 to 49; lang: Go 27, C++ 13; note of the row: second of all 27, first of all 13]',
    );
  });

  it('condenses several tables by themselves, and leaves short ones among them', () => {
    const pods = range(10, 59).map((number) => `pod/a-${number}   1/1     Running`);
    const short = ['NAME        SCHEDULE       SUSPEND', 'cron/prune   0 3 * * *     True'].join('\n');
    const condensed = condense(
      [
        ['NAME       READY   STATUS', ...pods].join('\n'),
        short,
        ['NAME       READY   STATUS', ...pods].join('\n'),
      ].join('\n\n'),
    );
    expect(condensed).toContain(`\n\n${short}\n\n`);
    expect(condensed?.match(/\[50 rows in all; /g)).toHaveLength(2);
  });

  it.each([
    ['a table with other cells than names', '| a | b |\n|---|---|\n' + '| 1 | 2 | 3 |\n'.repeat(30)],
    ['a short table', '| a | b |\n|---|---|\n' + '| 1 | 2 |\n'.repeat(11)],
    [
      'prose with a table in it',
      'Words of a text.\n'.repeat(60) + '\n| a | b |\n|---|---|\n' + '| 1 | 2 |\n'.repeat(20),
    ],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });

  it('reads blanks between columns whose cells do not stand below their names', () => {
    const row = (number: number): string =>
      `ada ${number * 37} 0.${number % 7} ${number === 30 ? 'Z' : 'S'} 0:0${number % 5} worker --shard ${number * 3}`;
    const condensed = condense(
      ['USER         PID %CPU STAT   TIME COMMAND', ...range(10, 60).map(row)].join('\n'),
    );
    expect(condensed?.split('\n')).toContain(row(30));
    expect(condensed).toContain('STAT: S 50, Z 1');
  });
});
