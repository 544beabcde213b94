import { describe, expect, it } from '@jest/globals';
import { compare, comparisonTable } from './comparison.mjs';

describe('comparisonTable', () => {
  it('shows each gateway beside the bare proxy, and a dash for what is unknown', () => {
    const figures = [
      { name: 'bare proxy', cpu: 10, rate: 900, latencyMs: 4 },
      { name: 'this gateway', cpu: 15.5, rate: 700.4, latencyMs: 5 },
      { name: 'http://other', cpu: undefined, rate: 90, latencyMs: 40 },
    ];
    expect(comparisonTable(figures)).toBe(
      [
        '| gateway | CPU, bare proxy = 1 | µs each | requests/s | latency, bare proxy = 1 | ms |',
        '| --- | --- | --- | --- | --- | --- |',
        '| bare proxy | 1.00 | 10.0 | 900 | 1.00 | 4.0 |',
        '| this gateway | 1.55 | 15.5 | 700 | 1.25 | 5.0 |',
        '| http://other | – | – | 90 | 10.00 | 40.0 |',
      ].join('\n'),
    );
  });
});

describe('compare', () => {
  it('gives every gateway its turn in each round, and does not count those that warm it up', async () => {
    const turns = [];
    const gateway = (name, latencies) => ({
      name,
      run: () => {
        turns.push(name);
        return { requests: 100, seconds: 2, latencyMs: latencies.shift() };
      },
    });
    const figures = await compare([gateway('a', [900, 800, 1, 2, 3]), gateway('b', [900, 800, 7, 5, 6])], {
      rounds: 3,
      warmUpTurns: 2,
      per: 50,
    });
    expect(turns).toEqual(Array.from({ length: 5 }, () => ['a', 'b']).flat());
    expect(figures).toEqual([
      { name: 'a', cpu: undefined, rate: 50, latencyMs: 2 },
      { name: 'b', cpu: undefined, rate: 50, latencyMs: 6 },
    ]);
  });
});
