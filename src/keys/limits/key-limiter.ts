import { type ServerResponse } from 'node:http';
import { InvalidRequestError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { type LimitFormat } from '../../common/http/access/limit-format.js';
import { type Clock } from '../../common/time/clock.js';
import { type KeyLimits } from '../access-key.js';
import { type KeyDemand } from './limit-parts.js';
import { RecentCount } from './recent-count.js';
import { RequestWindow } from './request-window.js';
import { TokenDay, type TokenReservation, untilMidnightMs } from './token-day.js';

/** When a request may be tried again that waits for the end of another one, or for a part of the limit from elsewhere. */
const SHORT_RETRY_MS = 1000;

/** Of refusals for want of tokens, after which a part of the limit is as large as it will be for now. */
const PART_GROWS_WITHIN_MS = 5000;
/** When a request may be tried again whose part does not grow: what others have set aside may come back to it. */
const LONG_RETRY_MS = 60_000;

/** Tokens of an answer for which a part of a limit is taken as it is. */
const ENOUGH_OF_A_PART = 4096;

/** Limits of a key, and the part of them on this node: the same where there is one node. */
export interface DividedLimits {
  readonly limits: KeyLimits;
  readonly part: KeyLimits;
}

/** Holds one key to its limits. Everything is decided in one turn of the event loop, so that nothing slips through. */
export class KeyLimiter {
  private window: RequestWindow | undefined;
  private readonly tokens: TokenDay;
  private running = 0;
  /** Counts of recent refusals. */
  private readonly refusedRequests = new RecentCount();
  private readonly refusedConcurrent = new RecentCount();
  private readonly refusedTokens = new RecentCount();

  constructor(
    private readonly name: string,
    private readonly clock: Clock,
  ) {
    this.tokens = new TokenDay(clock.now());
  }

  /**
   * Lets a request begin; `leave` must follow.
   * @throws TooManyRequestsError, and then nothing was counted
   */
  enter(divided: DividedLimits): void {
    const { requestsPerMinute, concurrentRequests, tokensPerDay } = divided.part;
    const now = this.clock.monotonic();
    if (concurrentRequests !== null && this.running >= concurrentRequests) {
      this.refusedConcurrent.add(1, now);
      const limit = divided.limits.concurrentRequests;
      const isPart = concurrentRequests !== limit;
      const here = `has ${this.running} requests under way${isPart ? ' here' : ''}`;
      const what = `${here}, ${isPart ? `its part of the ${limit} that it may have` : `and may have ${limit}`}`;
      throw this.refusal(what, SHORT_RETRY_MS);
    }
    if (tokensPerDay !== null && this.tokens.remaining(tokensPerDay, this.clock.now()) <= 0) {
      this.refusedTokens.add(1, now);
      throw this.dayIsOver(divided);
    }
    const waitMs = requestsPerMinute === null ? 0 : this.windowOf(requestsPerMinute).enter(now);
    if (waitMs > 0) {
      this.refusedRequests.add(1, now);
      const limit = divided.limits.requestsPerMinute;
      const isPart = requestsPerMinute !== limit;
      const what = `may send ${limit} requests a minute${isPart ? ', and has used its part of them here' : ''}`;
      throw this.refusal(what, isPart ? SHORT_RETRY_MS : waitMs);
    }
    this.running += 1;
  }

  /** Counts tokens of this day that were not set aside. */
  count(tokens: number): void {
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
   * @param least as many as suffice, where fewer than `wanted` are left
   * @throws TooManyRequestsError; InvalidRequestError if the whole limit does not suffice
   */
  reserve(wanted: number, divided: DividedLimits, least = wanted): TokenReservation | undefined {
    const { tokensPerDay } = divided.part;
    const { tokensPerDay: limit } = divided.limits;
    if (tokensPerDay === null || limit === null) {
      return undefined;
    }
    if (least > limit) {
      throw new InvalidRequestError(
        `The key '${this.name}' may use ${limit} tokens a day, and this request may take ${least}.`,
      );
    }
    // Of a part a little is no reason for a short answer, as long as it may grow where it is asked for.
    const mayGrow = tokensPerDay !== limit && !this.hasStoppedGrowing();
    const enough = mayGrow ? Math.min(wanted, least + ENOUGH_OF_A_PART) : least;
    const left = this.tokens.remaining(tokensPerDay, this.clock.now());
    const tokens = Math.min(wanted, Math.max(left, enough));
    const reservation = this.tokens.reserve(tokens, tokensPerDay, this.clock.now());
    if (!reservation) {
      this.refusedTokens.add(tokens, this.clock.monotonic());
      throw this.dayIsOver(divided, tokens);
    }
    return reservation;
  }

  /** Demand of this node on the limits: twice the use, and recent refusals. */
  demand(): KeyDemand {
    const now = this.clock.monotonic();
    const sent = this.window?.used(now) ?? 0;
    const { used, reserved } = this.tokens.taken(this.clock.now());
    const refusedSent = this.refusedRequests.valueAt(now);
    return {
      requestsPerMinute: { used: sent, wanted: 2 * sent + refusedSent },
      concurrentRequests: {
        used: this.running,
        wanted: 2 * this.running + this.refusedConcurrent.valueAt(now),
      },
      tokensPerDay: {
        used: used + reserved,
        wanted: used + 2 * reserved + this.refusedTokens.valueAt(now),
      },
    };
  }

  /** @param limit tokens a day */
  tokensLeft(limit: number): number {
    return Math.max(0, this.tokens.remaining(limit, this.clock.now()));
  }

  /** Milliseconds until another request may be sent. @param limit requests a minute */
  waitMs(limit: number): number {
    return this.windowOf(limit).waitMs(this.clock.monotonic());
  }

  /** Tells what is left of each limit on this node, in the headers that users of the format know. */
  setHeaders({ limits, part }: DividedLimits, answer: ServerResponse, format: LimitFormat): void {
    const now = this.clock.now();
    if (part.requestsPerMinute !== null && limits.requestsPerMinute !== null) {
      const time = this.clock.monotonic();
      const window = this.windowOf(part.requestsPerMinute);
      const [remaining, resetMs] = [window.remaining(time), window.waitMs(time)];
      format.setHeaders(answer, 'requests', { limit: limits.requestsPerMinute, remaining, resetMs, now });
    }
    if (part.tokensPerDay !== null && limits.tokensPerDay !== null) {
      const [remaining, resetMs] = [this.tokensLeft(part.tokensPerDay), untilMidnightMs(now)];
      format.setHeaders(answer, 'tokens', { limit: limits.tokensPerDay, remaining, resetMs, now });
    }
  }

  private windowOf(limit: number): RequestWindow {
    this.window ??= new RequestWindow(limit);
    if (this.window.limit !== limit) {
      this.window.resize(limit, this.clock.monotonic());
    }
    return this.window;
  }

  private dayIsOver(divided: DividedLimits, wanted?: number): TooManyRequestsError {
    const { limits, part } = divided;
    const left = this.tokensLeft(part.tokensPerDay ?? 0);
    const needs = wanted === undefined ? '' : `, and this request may take ${wanted}`;
    const isPart = part.tokensPerDay !== limits.tokensPerDay;
    const what = `has ${left} of its ${limits.tokensPerDay} tokens a day left${isPart ? ' here' : ''}${needs}`;
    const midnightMs = untilMidnightMs(this.clock.now());
    const growsMs = this.hasStoppedGrowing() ? Math.min(LONG_RETRY_MS, midnightMs) : SHORT_RETRY_MS;
    return this.refusal(what, isPart ? growsMs : midnightMs);
  }

  private hasStoppedGrowing(): boolean {
    return this.refusedTokens.ageAt(this.clock.monotonic()) >= PART_GROWS_WITHIN_MS;
  }

  private refusal(what: string, retryAfterMs: number): TooManyRequestsError {
    return new TooManyRequestsError(`The key '${this.name}' ${what}.`, retryAfterMs, {
      reason: 'key_limited',
    });
  }
}
