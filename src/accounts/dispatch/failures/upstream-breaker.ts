import { type BreakerPass, CircuitBreaker, type FailedAt, type OfConversation } from './circuit-breaker.js';

/** Models whose failures are counted at a time; of more, that of the longest ago is forgotten. */
const MAX_FAILING_MODELS = 100;

/** Permission to send one prompt to a model. */
export interface UpstreamPass {
  readonly model: string;
  readonly whole: BreakerPass;
  readonly own: BreakerPass;
}

/**
 * The circuit breakers of an upstream: one for each model that fails, since an API serves its models by different machines,
 * or cannot load one of them, and one for the whole, which counts failures to connect. A site has the latter alone: what its
 * models share, the page, is what fails there. Times are monotonic milliseconds.
 */
export class UpstreamBreaker {
  private readonly whole = new CircuitBreaker();
  /** Of the models that have not answered since they failed. */
  private readonly models = new Map<string, CircuitBreaker>();
  private hasAnswered = false;
  /** When a breaker opened first since any model answered last, and until when the last one that opened is open. */
  private failingSince: number | undefined;
  private failingUntil = 0;

  constructor(private readonly isPerModel: boolean) {}

  /** Whether `tryPass` would refuse now. */
  isOpen(model: string, now: number, request?: OfConversation): boolean {
    return this.whole.isOpen(now, request) || (this.models.get(model)?.isOpen(now, request) ?? false);
  }

  /** Milliseconds until a request for the model may pass; as in `CircuitBreaker`. */
  retryAfterMs(model: string, now: number): number {
    return Math.max(this.whole.retryAfterMs(now), this.models.get(model)?.retryAfterMs(now) ?? 0);
  }

  /** Undefined if the model's breaker or that of the whole is open. A pass must be settled by one of the methods below. */
  tryPass(model: string, now: number, request?: OfConversation): UpstreamPass | undefined {
    if (this.isOpen(model, now, request)) {
      return undefined;
    }
    const whole = this.whole.tryPass(now, request);
    const own = this.models.get(model)?.tryPass(now, request) ?? { isTrial: false, sentAt: now };
    return whole && { model, whole, own };
  }

  /** The upstream answered, if only with a refusal. */
  succeeded({ model }: UpstreamPass): void {
    this.hasAnswered = true;
    this.failingSince = undefined;
    this.whole.succeeded();
    this.models.delete(model);
  }

  /** The upstream failed at the prompt. */
  failed(pass: UpstreamPass, at: FailedAt, now: number): void {
    if (!this.isPerModel) {
      this.count(this.whole, pass.whole, at, now);
      return;
    }
    // It was reached.
    this.whole.succeeded();
    this.count(this.breakerOf(pass.model), pass.own, at, now);
  }

  /** The upstream could not be reached, whatever the model. */
  unreachable(pass: UpstreamPass, at: FailedAt, now: number): void {
    this.models.get(pass.model)?.undecided(pass.own);
    this.count(this.whole, pass.whole, at, now);
  }

  /** The prompt ended without saying anything about the upstream. */
  undecided({ model, whole, own }: UpstreamPass): void {
    this.whole.undecided(whole);
    this.models.get(model)?.undecided(own);
  }

  /** Whether the upstream has ever answered. */
  get hasServed(): boolean {
    return this.hasAnswered;
  }

  /**
   * For how long the upstream has been seen to fail: since a breaker opened and no model, not even another one, has answered
   * after it; undefined otherwise. It stands still where no request comes to be the trial: nothing is known of that time.
   */
  failedForMs(now: number): number | undefined {
    return this.failingSince === undefined ? undefined : Math.min(now, this.failingUntil) - this.failingSince;
  }

  /** Milliseconds for which such an upstream is sent nothing, as far as its models have been asked for; undefined otherwise. */
  refusesForMs(now: number): number | undefined {
    if (this.failingSince === undefined) {
      return undefined;
    }
    if (this.whole.isOpen(now)) {
      return this.whole.retryAfterMs(now);
    }
    const opened = [...this.models.values()].filter(({ hasOpened }) => hasOpened);
    return opened.length > 0 && opened.every((breaker) => breaker.isOpen(now))
      ? Math.min(...opened.map((breaker) => breaker.retryAfterMs(now)))
      : undefined;
  }

  /** Whether such an upstream is known to fail at one conversation only, or at one of each model: others pass. */
  get isOfOneConversation(): boolean {
    return areOfOneConversation([this.whole, ...this.models.values()]);
  }

  /** Whether a request for the model that is refused is refused for its conversation alone, whatever other models do. */
  refusesAlone(model: string): boolean {
    return areOfOneConversation([this.whole, this.models.get(model)]);
  }

  private count(breaker: CircuitBreaker, pass: BreakerPass, at: FailedAt, now: number): void {
    const { hasOpened } = breaker;
    breaker.failed(pass, at, now);
    // A model that goes on failing, while others have answered since, says nothing about the whole.
    if (breaker.isOpen(now) && (!hasOpened || this.failingSince !== undefined)) {
      this.failingSince ??= now;
      this.failingUntil = Math.max(this.failingUntil, now + breaker.retryAfterMs(now));
    }
  }

  private breakerOf(model: string): CircuitBreaker {
    const known = this.models.get(model);
    if (known) {
      return known;
    }
    const breaker = new CircuitBreaker();
    this.models.set(model, breaker);
    const [oldest] = this.models.keys();
    if (oldest !== undefined && this.models.size > MAX_FAILING_MODELS) {
      this.models.delete(oldest);
    }
    return breaker;
  }
}

/** Whether of some breakers those that have opened, one at least, have the failures of one conversation each. */
function areOfOneConversation(breakers: readonly (CircuitBreaker | undefined)[]): boolean {
  const opened = breakers.filter((breaker) => breaker?.hasOpened);
  return opened.length > 0 && opened.every((breaker) => breaker?.isOfOneConversation);
}
