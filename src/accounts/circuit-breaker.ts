const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;

export type BreakerPass = 'normal' | 'trial';

/**
 * Stops sending prompts to an upstream that failed several times in a row. After a while exactly one request, the
 * trial, is let through and decides whether the others may follow. Times are monotonic milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | undefined;
  private isTrying = false;

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
      return 'normal';
    }
    this.isTrying = true;
    return 'trial';
  }

  /** The upstream answered, if only with a refusal. */
  succeeded(): void {
    this.failures = 0;
    this.openUntil = undefined;
    this.isTrying = false;
  }

  /** The upstream failed. Prompts sent before it opened say nothing new while it is open. */
  failed(pass: BreakerPass, now: number): void {
    this.failures += 1;
    if (pass === 'trial' || (this.openUntil === undefined && this.failures >= FAILURES_TO_OPEN)) {
      this.openUntil = now + OPEN_MS;
      this.isTrying = false;
    }
  }

  /** The prompt ended without saying anything about the upstream: the caller left, or the account was at fault. */
  undecided(pass: BreakerPass): void {
    if (pass === 'trial') {
      this.isTrying = false;
    }
  }
}
