import { describe, expect, it } from '@jest/globals';
import { TurnReading } from './tenure-clock.js';

describe('TurnReading', () => {
  it('reads the clocks once for each turn', async () => {
    let reads = 0;
    const turn = new TurnReading(() => ({ monotonic: ++reads, wall: reads }));
    expect([turn.now(), turn.now()].map(({ monotonic }) => monotonic)).toEqual([1, 1]);
    await Promise.resolve();
    expect([turn.now(), turn.now()].map(({ monotonic }) => monotonic)).toEqual([2, 2]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(turn.now().monotonic).toBe(3);
  });
});
