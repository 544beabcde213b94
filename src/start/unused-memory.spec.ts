import { getHeapSpaceStatistics } from 'node:v8';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { releaseUnusedMemory } from './unused-memory.js';

const MIB = 2 ** 20;
const REST_BYTES = 100 * MIB;

describe('releaseUnusedMemory', () => {
  const completions = { isIdle: true, begun: 0 };
  let rssBytes: number;

  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(completions, { isIdle: true, begun: 0 });
    rssBytes = REST_BYTES;
    jest.spyOn(process.memoryUsage, 'rss').mockImplementation(() => rssBytes);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('gives the young generation of the start back', () => {
    const grown = growYoungGeneration();
    releaseUnusedMemory(completions);
    jest.advanceTimersByTime(2000);
    expect(youngGenerationBytes()).toBeLessThan(grown);
  });

  it('keeps what is compiled by then if completions have begun', () => {
    const grown = growYoungGeneration();
    completions.begun = 1;
    releaseUnusedMemory(completions);
    jest.advanceTimersByTime(60_000);
    expect(youngGenerationBytes()).toBe(grown);
  });

  it('gives back what a heavy load has left, after ten seconds without completions', () => {
    releaseUnusedMemory(completions);
    jest.advanceTimersByTime(2000);
    const grown = growYoungGeneration();
    rssBytes += 128 * MIB;
    jest.advanceTimersByTime(6000);
    completions.begun += 1;
    jest.advanceTimersByTime(10_000);
    expect(youngGenerationBytes()).toBe(grown);
    jest.advanceTimersByTime(2000);
    expect(youngGenerationBytes()).toBeLessThan(grown);
  });

  it('leaves what a light load has left', () => {
    releaseUnusedMemory(completions);
    jest.advanceTimersByTime(2000);
    const grown = growYoungGeneration();
    rssBytes += 127 * MIB;
    jest.advanceTimersByTime(60_000);
    expect(youngGenerationBytes()).toBe(grown);
  });

  it('does nothing while descriptors are used up, and goes on after that', () => {
    const rss = jest.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
      throw new Error('EMFILE: too many open files, uv_resident_set_memory');
    });
    const grown = growYoungGeneration();
    releaseUnusedMemory(completions);
    jest.advanceTimersByTime(60_000);
    expect(youngGenerationBytes()).toBe(grown);
    rss.mockImplementation(() => rssBytes);
    jest.advanceTimersByTime(2000);
    expect(youngGenerationBytes()).toBeLessThan(grown);
  });

  it('lets no other code collect garbage', () => {
    releaseUnusedMemory(completions);
    jest.advanceTimersByTime(2000);
    expect(globalThis.gc).toBeUndefined();
  });
});

/** The engine enlarges the young generation for objects that survive. @returns its bytes */
function growYoungGeneration(): number {
  const kept: unknown[] = [];
  while (youngGenerationBytes() < 8 * MIB) {
    kept.push(...Array.from({ length: 10_000 }, (_, index) => ({ index })));
  }
  return youngGenerationBytes();
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
