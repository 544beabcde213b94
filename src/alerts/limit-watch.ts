import { type RequestLogEntry } from '../logs/records/request-log-entry.js';

/** Whether requests meet nothing but the limits of the accounts, as where a quota is used up. */
export class LimitWatch {
  /** Whether a request has been served since the start. */
  hasServed = false;
  private firstAt: number | undefined;
  private lastAt = 0;

  /** Counts a request that has ended. */
  count({ outcome, error }: Pick<RequestLogEntry, 'outcome' | 'error'>, now: number): void {
    if (outcome === 'ok') {
      this.hasServed = true;
      this.firstAt = undefined;
    } else if (outcome === 'rate_limited' && error?.reason === 'rate_limited') {
      this.firstAt ??= now;
      this.lastAt = now;
    }
  }

  /** Time from the first to the last refusal since a request was served: no longer than there were requests. */
  get limitedForMs(): number {
    return this.firstAt === undefined ? 0 : this.lastAt - this.firstAt;
  }
}
