import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { columnsOf } from './gutters.js';

const row = (at: number): string =>
  `${`${at}:`.padStart(5)} ${`${at * at}`.padEnd(6)} ${at % 2 ? 'FUNC  ' : 'OBJECT'} the name of ${at}`;

describe('columnsOf', () => {
  it('finds columns between places where nearly all lines are blank', () => {
    const columns = columnsOf(range(1, 40).map(row)).map(({ start, end }) =>
      row(12).slice(start, end).trim(),
    );
    expect(columns.slice(0, 3)).toEqual(['12:', '144', 'OBJECT']);
    expect(columnsOf(['a heading that stands across all columns', ...range(1, 40).map(row)])).toHaveLength(
      columns.length,
    );
  });

  it('takes what few lines have for a part of the column before', () => {
    const noted = range(1, 40).map((at) => `${10 + at}  up${at % 10 ? '' : '  (slow)'}`);
    expect(columnsOf(noted)).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 14 },
    ]);
  });

  it('finds none in few lines, in lines with tabs, and one in prose and indented code', () => {
    expect(columnsOf(range(1, 11).map(row))).toEqual([]);
    expect(columnsOf(range(1, 40).map((at) => `\t${row(at)}`))).toEqual([]);
    const code = range(1, 40).map(
      (at) => `${' '.repeat(2 + (at % 3) * 2)}const shelf${at * 7} = put(${at * at});`,
    );
    expect(columnsOf(code).length).toBeLessThan(3);
  });
});
