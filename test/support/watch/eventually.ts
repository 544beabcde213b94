import { setTimeout as pause } from 'node:timers/promises';

/**
 * Longest wait for a condition that a test does not time: a guard against hanging, not a limit. More than the longest
 * back-off of an account, 66 s.
 */
export const PATIENCE_MS = 90_000;

/** Tries a check until it passes; its own failure is the error when the time is over. */
export async function eventually<T>(limitMs: number, check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
    await pause(10);
  }
}
