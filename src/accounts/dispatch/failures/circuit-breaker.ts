/** Failures in a row that open the breaker, unless one of several accounts had them all. */
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
 * Stops sending prompts to an upstream, or to a model of it, that failed five times in a row, at more than one account if there are several:
 * an account that fails alone says nothing about the upstream. After 10 s it is half-open: exactly one
 * request, the trial, passes, and its outcome closes the breaker or opens it again. Times are monotonic milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  /** Ids of the accounts that had the failures. */
  private readonly accounts = new Set<string>();
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

  /** Whether it has opened since the upstream answered last: until then it is open, or has a trial to make. */
  get hasOpened(): boolean {
    return this.openUntil !== undefined;
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
    this.accounts.clear();
    this.openUntil = undefined;
    this.isTrying = false;
  }

  /**
   * The upstream failed at a prompt of an account. Failures of prompts sent before the breaker opened are not counted
   * while it is open.
   * @param at id of the account, and whether no other one can serve
   */
  failed(pass: BreakerPass, at: { readonly account: string; readonly isOnly: boolean }, now: number): void {
    const isSameBurst = pass.sentAt < this.lastFailureAt && now - this.lastFailureAt < BURST_MS;
    if (!pass.isTrial && (this.openUntil !== undefined || isSameBurst)) {
      return;
    }
    this.failures += 1;
    this.accounts.add(at.account);
    this.lastFailureAt = now;
    const isUpstream = at.isOnly || this.accounts.size > 1;
    if (isUpstream && this.failures >= FAILURES_TO_OPEN) {
      this.open(now);
    } else {
      this.undecided(pass);
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
