const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;
/** Prompts that were under way together and fail together, as in the crash of one browser, count as one failure. */
const BURST_MS = 1000;

/** Leave to send one prompt. */
export interface BreakerPass {
  readonly isTrial: boolean;
  readonly sentAt: number;
}

/**
 * Stops sending prompts to an upstream that failed several times in a row. After a while exactly one request, the
 * trial, is let through and decides whether the others may follow. Times are monotonic milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | undefined;
  private isTrying = false;
  private lastFailureAt = -Infinity;

  /** Whether a request would be refused now. */
  isOpen(now: number): boolean {
    return this.openUntil !== undefined && (this.isTrying || now < this.openUntil);
  }

  /** Lets a prompt through, or not (undefined). What is let through must be settled by one of the other methods. */
  tryPass(now: number): BreakerPass | undefined {
    if (this.isOpen(now)) {
      return undefined;
    }
    if (this.openUntil === undefined) {
      return { isTrial: false, sentAt: now };
    }
    this.isTrying = true;
    return { isTrial: true, sentAt: now };
  }

  /** The upstream answered, if only with a refusal. */
  succeeded(): void {
    this.failures = 0;
    this.openUntil = undefined;
    this.isTrying = false;
  }

  /** The upstream failed. Prompts sent before it opened say nothing new while it is open. */
  failed({ isTrial, sentAt }: BreakerPass, now: number): void {
    if (isTrial) {
      this.open(now);
      return;
    }
    const isSameBurst = sentAt < this.lastFailureAt && now - this.lastFailureAt < BURST_MS;
    if (this.openUntil !== undefined || isSameBurst) {
      return;
    }
    this.failures += 1;
    this.lastFailureAt = now;
    if (this.failures >= FAILURES_TO_OPEN) {
      this.open(now);
    }
  }

  /** The prompt ended without saying anything about the upstream: the caller left, or the account was at fault. */
  undecided({ isTrial }: BreakerPass): void {
    if (isTrial) {
      this.isTrying = false;
    }
  }

  private open(now: number): void {
    this.openUntil = now + OPEN_MS;
    this.isTrying = false;
  }
}
