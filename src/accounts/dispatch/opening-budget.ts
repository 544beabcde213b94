import { type Clock } from '../../common/time/clock.js';
import { type UpstreamError } from '../../upstream/upstream.errors.js';

/** As long as one start of a browser may take, so that a caller does not wait for several. */
const BUDGET_MS = 5000;

/** How long a request goes on asking for a session after none could be opened for it: 5 s since its beginning. */
export class OpeningBudget {
  private readonly openBy: number;
  private refusal: UpstreamError | undefined;

  constructor(private readonly clock: Clock) {
    this.openBy = clock.monotonic() + BUDGET_MS;
  }

  /** No session could be opened. */
  refused(error: UpstreamError): void {
    this.refusal = error;
  }

  opened(): void {
    this.refusal = undefined;
  }

  /** Whether it makes sense to ask again after so many milliseconds. */
  allows(waitMs: number): boolean {
    return this.refusal === undefined || this.clock.monotonic() + waitMs < this.openBy;
  }

  /** Asks for a session; after a refusal, rejects with it when the time is over. */
  async bound<T>(acquire: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.refusal === undefined) {
      return acquire(signal);
    }
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(this.refusal), this.openBy - this.clock.monotonic());
    try {
      return await acquire(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}
