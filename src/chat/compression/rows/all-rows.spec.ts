import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { allRows } from './all-rows.js';
import { profileColumn } from './column-profile.js';

const cells = range(1, 20).map((row) => (row % 4 === 0 ? 'low' : 'high'));
const lines = {
  head: ['[in each row grade]'],
  render: (row: number) => cells[row] ?? '',
  told: new Set<string>(),
};
const profiles = [profileColumn('grade', cells)];

describe('allRows', () => {
  it('shows all rows if a selection takes nearly as much, and counts their values', () => {
    const selected = range(1, 10).map(() => 'grade: high, low');
    expect(allRows(20, selected, () => lines, profiles, ', 2 odd')).toEqual([
      '[in each row grade]',
      ...cells,
      '[20 rows in all, 2 odd; grade: high 15, low 5]',
    ]);
  });

  it.each([
    ['takes far less', 20, range(1, 10).map(() => 'high')],
    ['shows hardly any row, since they are regular', 20, ['grade: '.repeat(100), '[… 19 rows omitted]']],
    ['is of more rows', 200, range(1, 100).map(() => 'grade: high, low')],
  ])('shows no others if a selection %s', (_name, total, selected) => {
    expect(allRows(total, selected, () => lines, profiles, '')).toBeUndefined();
  });

  it('shows all rows of which each is wanted', () => {
    expect(allRows(20, ['one'], () => ({ ...lines, areWanted: true }), profiles, '')).toHaveLength(22);
  });

  it('asks for no lines of many rows', () => {
    const unasked = (): never => {
      throw new Error('asked');
    };
    expect(allRows(100_000, ['one'], unasked, profiles, '')).toBeUndefined();
  });
});
