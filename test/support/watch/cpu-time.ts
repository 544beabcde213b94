import { expect } from '@jest/globals';

/** Times that work gets to keep a ratio. */
const ATTEMPTS = 4;
/** What a measurement may be off by, in milliseconds: small work is judged leniently. */
const FLOOR_MS = 5;

/** CPU time that a piece of work costs this thread, in milliseconds; hardly changed by what else the machine does. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Throws if the cost of large work is always as many times that of small work, or more. Measured several times if need
 * be, since collections and a host that takes the processor away only ever add to the cost.
 *
 *     // Eight times the length would take 64 times as long in quadratic time.
 *     expectCostRatio({ small: () => cost(10_000), large: () => cost(80_000) }, 24);
 *
 * @param works each does its work once and returns the cost in milliseconds
 * @param limit exclusive
 */
export function expectCostRatio(works: Record<'small' | 'large', () => number>, limit: number): void {
  const { small, large } = works;
  // The first run of code pays for its compilation.
  small();
  let ratio = Infinity;
  for (let done = 0; done < ATTEMPTS && !(ratio < limit); done++) {
    ratio = Math.min(ratio, large() / (small() + FLOOR_MS));
  }
  expect(ratio).toBeLessThan(limit);
}
