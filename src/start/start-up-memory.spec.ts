import { getHeapSpaceStatistics } from 'node:v8';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { releaseStartUpMemory } from './start-up-memory.js';

describe('releaseStartUpMemory', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives the young generation back once nothing is under way', () => {
    growYoungGeneration();
    const grown = youngGenerationBytes();
    const isIdle = jest.fn<() => boolean>().mockReturnValueOnce(false).mockReturnValue(true);
    releaseStartUpMemory(isIdle);
    jest.advanceTimersByTime(2000);
    expect(youngGenerationBytes()).toBe(grown);
    jest.advanceTimersByTime(20_000);
    expect(youngGenerationBytes()).toBeLessThan(grown);
    expect(isIdle).toHaveBeenCalledTimes(2);
  });

  it('lets no other code collect garbage', () => {
    releaseStartUpMemory(() => true);
    jest.advanceTimersByTime(2000);
    expect(globalThis.gc).toBeUndefined();
  });
});

/** The engine enlarges the young generation for objects that survive. */
function growYoungGeneration(): void {
  const kept: unknown[] = [];
  while (youngGenerationBytes() < 8 * 2 ** 20) {
    kept.push(...Array.from({ length: 10_000 }, (_, index) => ({ index })));
  }
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
