import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '../../upstream.errors.js';
import { type PageGuard } from './page-guard.js';

const POLL_MS = 50;

/**
 * The first result of repeated looks at the page, one every 50 ms; undefined if none has one in time. A look may fail
 * while a page navigates or is busy, and is then repeated. Rejects as the last look did if that failed, too, e.g. for an
 * invalid selector.
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

/** Whether repeated looks at the page find true in time. Rejects as `untilFound`. */
export async function untilTrue(
  look: () => Promise<boolean>,
  guard: PageGuard,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await untilFound(async () => (await look()) || undefined, guard, timeoutMs, signal);
  return found === true;
}

function isPassing(error: unknown): boolean {
  return error instanceof UnavailableError && ['page_failed', 'page_timeout'].includes(error.fault);
}
