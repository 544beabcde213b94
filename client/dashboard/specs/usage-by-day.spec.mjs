import { describe, expect, it } from '@jest/globals';
import { usageByDay, withWeeks } from '../assets/data/usage-by-day.js';

const now = Date.parse('2026-05-31T23:59:59Z');

describe('usageByDay', () => {
  it('has a bar for every day, adds the keys up, and leaves earlier and later days out', () => {
    const rows = [
      { day: '2026-05-28', promptTokens: 1000, completionTokens: 1000 },
      { day: '2026-05-29', promptTokens: 10, completionTokens: 1 },
      { day: '2026-05-29', promptTokens: 20, completionTokens: 2 },
      { day: '2026-05-31', promptTokens: 30, completionTokens: 3 },
      { day: '2026-06-01', promptTokens: 1000, completionTokens: 1000 },
    ];
    expect(usageByDay(rows, { days: 3, now, by: 'day' })).toEqual({
      t: ['2026-05-29', '2026-05-30', '2026-05-31'].map((day) => Date.parse(day)),
      bucketMs: 86_400_000,
      by: 'day',
      layers: [
        { label: 'Tokens in', tokens: [30, 0, 30], whole: 60 },
        { label: 'Tokens out', tokens: [3, 0, 3], whole: 6 },
      ],
    });
  });

  const of = (...used) =>
    used.map(([model, day, tokens]) => ({ model, day, promptTokens: tokens, completionTokens: 1 }));
  const byModel = (rows) =>
    usageByDay(rows, { days: 2, now, by: 'model' }).layers.map(({ label, tokens }) => [label, ...tokens]);

  it('has a layer for each model, the one with the most tokens first', () => {
    const rows = of(['small', '2026-05-30', 5], ['large', '2026-05-30', 10], ['large', '2026-05-31', 20]);
    expect(byModel(rows)).toEqual([
      ['large', 11, 21],
      ['small', 6, 0],
    ]);
  });

  it('keeps those without a value apart from one that is named so', () => {
    expect(byModel(of(['none', '2026-05-30', 5], ['', '2026-05-31', 3]))).toEqual([
      ['none', 6, 0],
      ['', 0, 4],
    ]);
  });

  it('adds up those with the fewest tokens, and leaves out those with none', () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((model, at) => [model, '2026-05-31', 9 - at]);
    const unused = { model: 'g', day: '2026-05-31', promptTokens: 0, completionTokens: 0 };
    const layers = byModel([...of(...rows), unused]);
    expect(layers.at(-1)).toEqual(['2 others', 0, 11]);
    expect(layers).toHaveLength(5);
    expect(byModel(of(...rows.slice(0, 5))).at(-1)).toEqual(['e', 0, 6]);
  });

  it('has a bar for every week from Monday on, without the one of which only a part was read', () => {
    // 2026-05-31 is a Sunday.
    const rows = [
      { day: '2026-05-10', promptTokens: 1000, completionTokens: 1000 },
      { day: '2026-05-11', promptTokens: 1, completionTokens: 0 },
      { day: '2026-05-25', promptTokens: 2, completionTokens: 1 },
      { day: '2026-05-31', promptTokens: 4, completionTokens: 1 },
    ];
    const range = { days: 22, now, by: 'week' };
    const weekly = withWeeks(rows, range);
    expect(weekly.map(({ week }) => week)).toEqual(['2026-05-11', '2026-05-25', '2026-05-25']);
    expect(usageByDay(weekly, range)).toEqual({
      t: ['2026-05-11', '2026-05-18', '2026-05-25'].map((day) => Date.parse(day)),
      bucketMs: 7 * 86_400_000,
      by: 'week',
      layers: [
        { label: 'Tokens in', tokens: [1, 0, 6], whole: 7 },
        { label: 'Tokens out', tokens: [0, 0, 2], whole: 2 },
      ],
    });
  });

  it('has the present week in any case, as far as it was read', () => {
    const friday = Date.parse('2026-05-29T12:00:00Z');
    const range = { days: 2, now: friday, by: 'week' };
    const weekly = withWeeks([{ day: '2026-05-28', promptTokens: 1, completionTokens: 0 }], range);
    expect(usageByDay(weekly, range).layers[0]).toEqual({ label: 'Tokens in', tokens: [1], whole: 1 });
  });
});
