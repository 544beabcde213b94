/** Failures in a row that open the breaker. */
const FAILURES_TO_OPEN = 5;
/** Time from opening to the trial. */
const OPEN_MS = 10_000;
/** Prompts in flight together that fail within this time, as in the crash of one browser, count as one failure. */
const BURST_MS = 1000;

/** Permission to send one prompt. */
export interface BreakerPass {
  readonly isTrial: boolean;
  /** Monotonic milliseconds. */
  readonly sentAt: number;
}

/**
 * Stops sending prompts to an upstream that failed five times in a row. After 10 s it is half-open: exactly one
 * request, the trial, passes, and its outcome closes the breaker or opens it again. Times are monotonic milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | undefined;
  private isTrying = false;
  private lastFailureAt = -Infinity;

  /** Whether `tryPass` would refuse now. */
  isOpen(now: number): boolean {
    return this.openUntil !== undefined && (this.isTrying || now < this.openUntil);
  }

  /** Milliseconds until a request may pass; while the trial runs, the shortest time in which it can be decided. */
  retryAfterMs(now: number): number {
    return Math.max(0, (this.openUntil ?? now) - now);
  }

  /** Undefined if the breaker is open. A pass must be settled by `succeeded`, `failed` or `undecided`. */
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

  /** The upstream answered, if only with a refusal: closes the breaker. */
  succeeded(): void {
    this.failures = 0;
    this.openUntil = undefined;
    this.isTrying = false;
  }

  /** The upstream failed. Failures of prompts sent before the breaker opened are not counted while it is open. */
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
