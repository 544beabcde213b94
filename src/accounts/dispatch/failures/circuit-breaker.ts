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

/** A request, which belongs to a conversation. */
export interface OfConversation {
  readonly conversation: string;
}

/** Where a prompt failed. */
export interface FailedAt {
  /** Id of the account. */
  readonly account: string;
  /** Whether no other account can serve. */
  readonly isOnly: boolean;
  /** Missing for a failure that cannot be due to the prompt. */
  readonly conversation?: string;
}

/**
 * Stops sending prompts to an upstream, or to a model of it, that failed five times in a row, at more than one account if
 * there are several: an account that fails alone says nothing about the upstream. Nor does a conversation, since there are
 * prompts at which an upstream fails each time: if one had all the failures, it is refused alone. After 10 s the breaker is
 * half-open: exactly one request, the trial, passes, and its outcome closes the breaker or opens it again. Times are monotonic
 * milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  /** Ids of the accounts that had the failures. */
  private readonly accounts = new Set<string>();
  /** Conversations that had them; undefined among them for failures of none. */
  private readonly conversations = new Set<string | undefined>();
  private openUntil: number | undefined;
  private isTrying = false;
  private lastFailureAt = -Infinity;

  /** Whether `tryPass` would refuse now. @param request undefined: whether it would refuse any */
  isOpen(now: number, request?: OfConversation): boolean {
    return this.openUntil !== undefined && (this.isTrying || now < this.openUntil) && this.isAgainst(request);
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
  tryPass(now: number, request?: OfConversation): BreakerPass | undefined {
    if (this.isOpen(now, request)) {
      return undefined;
    }
    if (this.openUntil === undefined || !this.isAgainst(request)) {
      return { isTrial: false, sentAt: now };
    }
    this.isTrying = true;
    return { isTrial: true, sentAt: now };
  }

  /** The upstream answered, if only with a refusal: closes the breaker. */
  succeeded(): void {
    if (this.failures > 0) {
      this.failures = 0;
      // Not for each answer: clearing replaces a table (decision 209).
      this.accounts.clear();
      this.conversations.clear();
    }
    this.openUntil = undefined;
    this.isTrying = false;
  }

  /**
   * The upstream failed at a prompt of an account. Failures of prompts sent before the breaker opened are not counted
   * while it is open.
   */
  failed(pass: BreakerPass, at: FailedAt, now: number): void {
    const isSameBurst = pass.sentAt < this.lastFailureAt && now - this.lastFailureAt < BURST_MS;
    const isEarlier = this.openUntil !== undefined && pass.sentAt <= this.openUntil - OPEN_MS;
    if (!pass.isTrial && (isEarlier || isSameBurst)) {
      return;
    }
    this.failures += 1;
    this.accounts.add(at.account);
    this.conversations.add(at.conversation);
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

  /** Whether one conversation had all the failures, and is refused alone while the breaker is open. */
  get isOfOneConversation(): boolean {
    return this.conversations.size === 1 && !this.conversations.has(undefined);
  }

  private isAgainst(request: OfConversation | undefined): boolean {
    return request === undefined || !this.isOfOneConversation || this.conversations.has(request.conversation);
  }

  private open(now: number): void {
    this.openUntil = now + OPEN_MS;
    this.isTrying = false;
  }
}
