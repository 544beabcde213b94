import { type Clock } from '../../common/time/clock.js';
import { type UpstreamError } from '../../upstream/upstream.errors.js';

/** Time that one start of a browser may take: a caller does not wait for several. */
const BUDGET_MS = 5000;

/** Time limit for a request whose sessions could not be opened: it asks for another one within 5 s of its beginning. */
export class OpeningBudget {
  private readonly openBy: number;
  private lastFailure: UpstreamError | undefined;

  constructor(private readonly clock: Clock) {
    this.openBy = clock.monotonic() + BUDGET_MS;
  }

  /** Records that no session could be opened. */
  failed(error: UpstreamError): void {
    this.lastFailure = error;
  }

  /** A session was opened: the limit no longer applies. */
  succeeded(): void {
    this.lastFailure = undefined;
  }

  /** Whether another request for a session, after a wait in milliseconds, would be within the limit. */
  allows(waitMs: number): boolean {
    return this.lastFailure === undefined || this.clock.monotonic() + waitMs < this.openBy;
  }

  /** Acquires a session; after a failed opening, rejects with that failure at the end of the 5 s. */
  async bound<T>(acquire: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.lastFailure === undefined) {
      return acquire(signal);
    }
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(this.lastFailure), this.openBy - this.clock.monotonic());
    try {
      return await acquire(AbortSignal.any([signal, deadline.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}
