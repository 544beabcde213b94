import { type UnavailableFault } from '../../../upstream/unavailable-fault.js';
import { UnavailableError, UpstreamError } from '../../../upstream/upstream.errors.js';
import { type UpstreamSession } from '../../../upstream/upstream-driver.js';

/**
 * Opens a session within a time limit in milliseconds, even if the driver hangs: a session that comes too late is
 * closed. Rejects with `UpstreamError`s only, also when `stop` aborts.
 */
export async function openSession(
  open: (signal: AbortSignal) => Promise<UpstreamSession>,
  stop: AbortSignal,
  limitMs: number,
): Promise<UpstreamSession> {
  const controller = new AbortController();
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (fault: UnavailableFault, message: string) => {
    const error = new UnavailableError(fault, message);
    controller.abort(error);
    reject(error);
  };
  const stopped = () => giveUp('stopped', 'Nobody needs the session any more.');
  const timer = setTimeout(
    () => giveUp('open_timeout', `No session was opened within ${limitMs} ms.`),
    limitMs,
  );
  stop.addEventListener('abort', stopped);
  const opening = open(controller.signal);
  try {
    return await Promise.race([opening, givenUp]);
  } catch (error) {
    opening.then(
      (session) => session.close(),
      () => undefined,
    );
    throw error instanceof UpstreamError
      ? error
      : new UnavailableError('open_failed', 'A session could not be opened.', { cause: error });
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', stopped);
  }
}
