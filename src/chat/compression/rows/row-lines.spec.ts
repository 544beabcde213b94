import { describe, expect, it } from '@jest/globals';
import { rowLines } from './row-lines.js';

const form = {
  comma: ', ',
  named: (name: string, value: string) => `${name}=${value}`,
  namesCodes: true,
  isKept: (row: number) => row === 1,
};

function linesOf(columns: Readonly<Record<string, readonly (string | undefined)[]>>): string[] {
  const { head, render } = rowLines(new Map(Object.entries(columns)), form);
  const rows = [...(Object.values(columns)[0] ?? []).keys()];
  return [...head, ...rows.map((row) => render(row))];
}

describe('rowLines', () => {
  it('says once what most rows have; rows that have something else name it', () => {
    expect(
      linesOf({
        name: ['auth', 'cart', 'mail', 'jobs'],
        state: ['up', 'up', 'down', 'up'],
        note: [undefined, undefined, undefined, 'odd'],
        kind: ['pod', 'pod', 'pod', 'pod'],
      }),
    ).toEqual([
      '[in each row name; unless it says otherwise state=up (3), no note (3), kind=pod]',
      'auth',
      'cart',
      'mail, state=down',
      'jobs, note=odd',
    ]);
  });

  it('names the code by which a next call asks for a row', () => {
    expect(linesOf({ number: ['12', '15', '20'], title: ['Leak', 'Noise', 'Stall'] })).toEqual([
      '[in each row number, title]',
      'number=12, Leak',
      'number=15, Noise',
      'number=20, Stall',
    ]);
  });

  it('shows what follows from another column in the first row with its value', () => {
    expect(
      linesOf({
        text: ['is never read', 'is never read', 'is not closed', 'is not closed'],
        rule: ['R1', 'R1', 'R2', 'R2'],
        line: ['7', '12', '3', '88'],
      }),
    ).toEqual([
      '[in each row rule, line; unless it says otherwise text as in the first row with its rule]',
      'R1, 7, text=is never read',
      'R1, 12',
      'R2, 3, text=is not closed',
      'R2, 88',
    ]);
  });

  it('shows a column that is mostly like another one where it is not', () => {
    expect(
      linesOf({
        from: ['7', '12', '3', '88'],
        to: ['7', '12', '5', '88'],
      }),
    ).toEqual(['[in each row from; unless it says otherwise to like from (3)]', '7', '12', '3, to=5', '88']);
  });

  it('says common folders once, and marks cells that a row does not have in their place', () => {
    expect(
      linesOf({
        path: ['"/srv/work/shop/src/a.ts"', '"/srv/work/shop/src/b/c.ts"', '"/srv/work/shop/src/d.ts"'],
        line: ['1', undefined, '2'],
      }),
    ).toEqual([
      '[in each row path behind /srv/work/shop/src/, line]',
      'a.ts, 1',
      'b/c.ts, missing',
      'd.ts, 2',
    ]);
  });

  it('cuts long texts of rows that do not stand out, after it has compared them', () => {
    const text = `"${'word '.repeat(60)}"`;
    const others = ['a', 'b', 'c'].map((word) => `"${word.repeat(300)}"`);
    const lines = linesOf({
      same: [text, text, text],
      links: others.map((other) => `[${other}]`),
      at: others,
    });
    expect(lines[0]).toBe(`[in each row links, at; unless it says otherwise same=${text}]`);
    expect(lines[2]).toBe(`[${others[1] ?? ''}], ${others[1] ?? ''}`);
    expect(lines[3]).toMatch(
      /^\["c{80,}\[… 184 characters omitted\]c+"\], "c{80,}\[… 182 characters omitted\]c+"$/,
    );
  });

  it('says once which text stands around the value of another column', () => {
    expect(
      linesOf({
        id: ['7101', '7204', '7350'],
        jobs: [
          '"https://ci.example/7101/jobs"',
          '"https://ci.example/7204/jobs"',
          '"https://ci.example/other"',
        ],
      }),
    ).toEqual([
      '[in each row id; unless it says otherwise jobs "https://ci.example/{id}/jobs" (2)]',
      'id=7101',
      'id=7204',
      'id=7350, jobs="https://ci.example/other"',
    ]);
  });

  it('cuts hashes to what tells them apart', () => {
    const hashes = ['a', 'b', 'c'].map((digit) => `"${digit.repeat(40)}"`);
    expect(linesOf({ branch: ['main', 'fix', 'docs'], sha: hashes }).slice(0, 2)).toEqual([
      '[in each row branch, sha cut to 12 characters]',
      'main, aaaaaaaaaaaa',
    ]);
  });
});
