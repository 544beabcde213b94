import { expect, test } from '@jest/globals';
import { growthTable } from './growth-table.mjs';

test('growth is the exponent of the cost', () => {
  const points = [
    { size: 0, cost: 50, bare: 25 },
    { size: 10, cost: 50, bare: 25 },
    { size: 100, cost: 500, bare: 50 },
    { size: 1000, cost: 50_000, bare: undefined },
  ];
  expect(growthTable('messages', 'µs', points)).toBe(
    [
      '| messages | µs | bare proxy = 1 | growth |  |',
      '| --- | --- | --- | --- | --- |',
      '| 0 | 50.0 | 2.00 | – | █ |',
      '| 10 | 50.0 | 2.00 | – | █ |',
      '| 100 | 500.0 | 10.00 | 1.00 | ███████████ |',
      '| 1,000 | 50000.0 | – | 2.00 | ███████████████████████████████ |',
    ].join('\n'),
  );
});
