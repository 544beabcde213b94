import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '../../upstream.errors.js';
import { type PageGuard } from './page-guard.js';

const POLL_MS = 50;

/**
 * What a look at the page finds first; undefined if the time is over before. Polled, since pages lead from one to the
 * other meanwhile: one that is just being replaced, or has no time, cannot be looked at, but the next look may succeed.
 * Rejects as the last look did if that could not be taken either, e.g. for a selector that is none.
 */
export async function untilFound<T>(
  look: () => Promise<T | undefined>,
  guard: PageGuard,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const deadline = AbortSignal.timeout(timeoutMs);
  for (;;) {
    signal.throwIfAborted();
    guard.gone.throwIfAborted();
    try {
      const found = await look();
      if (found !== undefined || deadline.aborted) {
        return found;
      }
    } catch (error) {
      if (deadline.aborted || !isPassing(error)) {
        throw error;
      }
    }
    await pause(POLL_MS);
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof UnavailableError && ['page_failed', 'page_timeout'].includes(error.reason);
}
