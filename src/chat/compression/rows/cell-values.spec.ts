import { describe, expect, it } from '@jest/globals';
import { cellTime } from './cell-values.js';

describe('cellTime', () => {
  it.each([
    '2026-11-28T08:52:50Z',
    '2026/11/28 08:52:50',
    'Nov 28 08:52:50 2026 GMT',
    'Sat Nov 28 08:52:50 UTC 2026',
    'Sat, 28 Nov 2026 08:52:50 GMT',
    '"28 Nov 2026 08:52:50 +0000"',
  ])('reads %s', (cell) => {
    expect(cellTime(cell)).toBe(Date.UTC(2026, 10, 28, 8, 52, 50) / 1000);
  });

  it.each(['28', 'Nov 28', 'Now 28 08:52:50 2026', 'Nov 28 08:52:50', 'November 28 08:52:50 2026'])(
    'takes %s for no time',
    (cell) => {
      expect(cellTime(cell)).toBeUndefined();
    },
  );
});
