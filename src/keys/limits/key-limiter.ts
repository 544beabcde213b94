import { RateLimitError } from '../../common/errors/gateway.errors.js';
import { type Clock } from '../../common/time/clock.js';
import { type KeyLimits } from '../access-key.js';
import { RequestWindow } from './request-window.js';
import { TokenDay, type TokenReservation, untilMidnightMs } from './token-day.js';

/** When a request beyond the concurrent ones may be tried again: nobody knows when one ends. */
const CONCURRENCY_RETRY_MS = 1000;

/** Headers in the form that users of the format know. */
export type LimitHeaders = Readonly<Record<string, string>>;

/** Holds one key to its limits. Everything is decided in one turn of the event loop, so that nothing slips through. */
export class KeyLimiter {
  private window: RequestWindow | undefined;
  private readonly tokens: TokenDay;
  private running = 0;

  /** @param usedTokens tokens used before on this day */
  constructor(
    private readonly name: string,
    private readonly clock: Clock,
    usedTokens = 0,
  ) {
    this.tokens = new TokenDay(clock.now(), usedTokens);
  }

  /**
   * Lets a request begin; `leave` must follow.
   * @throws RateLimitError, and then nothing was counted
   */
  enter(limits: KeyLimits): void {
    const { requestsPerMinute, concurrentRequests, tokensPerDay } = limits;
    if (concurrentRequests !== null && this.running >= concurrentRequests) {
      const what = `has ${this.running} requests under way, and may have ${concurrentRequests}`;
      throw this.refusal(what, CONCURRENCY_RETRY_MS, limits);
    }
    if (tokensPerDay !== null && this.tokens.remaining(tokensPerDay, this.clock.now()) <= 0) {
      throw this.dayIsOver(limits, tokensPerDay);
    }
    const waitMs =
      requestsPerMinute === null ? 0 : this.windowOf(requestsPerMinute).enter(this.clock.monotonic());
    if (waitMs > 0) {
      throw this.refusal(`may send ${requestsPerMinute} requests a minute`, waitMs, limits);
    }
    this.running += 1;
  }

  /** Adds tokens that were used earlier on this day. */
  usedBefore(tokens: number): void {
    this.tokens.add(tokens, this.clock.now());
  }

  leave(): void {
    this.running -= 1;
  }

  /** For a request that has left, but whose work goes on. */
  rejoin(): void {
    this.running += 1;
  }

  /**
   * Sets tokens aside for a request.
   * @throws RateLimitError
   */
  reserve(tokens: number, limits: KeyLimits): TokenReservation | undefined {
    const { tokensPerDay } = limits;
    if (tokensPerDay === null) {
      return undefined;
    }
    const reservation = this.tokens.reserve(tokens, tokensPerDay, this.clock.now());
    if (!reservation) {
      throw this.dayIsOver(limits, tokensPerDay, tokens);
    }
    return reservation;
  }

  /** What is left of each limit. */
  headers({ requestsPerMinute, tokensPerDay }: KeyLimits): LimitHeaders {
    const headers: Record<string, string> = {};
    if (requestsPerMinute !== null) {
      const now = this.clock.monotonic();
      const window = this.windowOf(requestsPerMinute);
      headers['x-ratelimit-limit-requests'] = String(requestsPerMinute);
      headers['x-ratelimit-remaining-requests'] = String(window.remaining(now));
      headers['x-ratelimit-reset-requests'] = seconds(window.waitMs(now));
    }
    if (tokensPerDay !== null) {
      const now = this.clock.now();
      headers['x-ratelimit-limit-tokens'] = String(tokensPerDay);
      headers['x-ratelimit-remaining-tokens'] = String(Math.max(0, this.tokens.remaining(tokensPerDay, now)));
      headers['x-ratelimit-reset-tokens'] = seconds(untilMidnightMs(now));
    }
    return headers;
  }

  /** A limit that was changed begins anew. */
  private windowOf(limit: number): RequestWindow {
    if (this.window?.limit !== limit) {
      this.window = new RequestWindow(limit);
    }
    return this.window;
  }

  private dayIsOver(limits: KeyLimits, tokensPerDay: number, wanted?: number): RateLimitError {
    const left = Math.max(0, this.tokens.remaining(tokensPerDay, this.clock.now()));
    const needs = wanted === undefined ? '' : `, and this request may take ${wanted}`;
    return this.refusal(
      `has ${left} of its ${tokensPerDay} tokens a day left${needs}`,
      untilMidnightMs(this.clock.now()),
      limits,
    );
  }

  private refusal(what: string, retryAfterMs: number, limits: KeyLimits): RateLimitError {
    return new RateLimitError(`The key '${this.name}' ${what}.`, retryAfterMs, {
      reason: 'key_limited',
      headers: this.headers(limits),
    });
  }
}

/** As in `6s`. */
function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)}s`;
}
