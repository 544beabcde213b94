import { type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { type AccessKey } from '../access-key.js';
import { KeyLimiter } from './key-limiter.js';
import { KeySlot } from './key-slot.js';
import { type TokenReservation } from './token-day.js';

/** Holds the keys to their limits, each by a limiter of its own from its first use on. */
@Injectable()
export class KeyLimiters {
  private readonly limiters = new Map<string, KeyLimiter>();
  private readonly slots = new WeakMap<ServerResponse, KeySlot>();
  /** Undefined until it is known. */
  private usedToday: ReadonlyMap<string, number> | undefined;

  constructor(private readonly clock: Clock) {}

  /**
   * Counts a request against the limits of its key, until the response is closed.
   * @throws RateLimitError
   */
  admit(key: AccessKey, response: ServerResponse): void {
    if (response.closed) {
      return;
    }
    const limiter = this.limiterOf(key);
    limiter.enter(key);
    const slot = new KeySlot(limiter);
    this.slots.set(response, slot);
    response.once('close', () => slot.release());
    for (const [header, value] of Object.entries(limiter.headers(key))) {
      response.setHeader(header, value);
    }
  }

  /** The place of a request that was admitted. */
  slotOf(response: ServerResponse): KeySlot | undefined {
    return this.slots.get(response);
  }

  /**
   * Sets tokens of the day aside; undefined for a key without such a limit.
   * @throws RateLimitError if fewer are left
   */
  reserve(key: AccessKey, tokens: number): TokenReservation | undefined {
    return this.limiterOf(key).reserve(tokens, key);
  }

  /** Tokens that each key has used today: before the start, or before this could be told. */
  takeUsedToday(tokens: ReadonlyMap<string, number>): void {
    this.usedToday = tokens;
    this.limiters.forEach((limiter, name) => limiter.usedBefore(tokens.get(name) ?? 0));
  }

  private limiterOf({ name, tokensPerDay }: AccessKey): KeyLimiter {
    if (this.usedToday === undefined && tokensPerDay !== null) {
      throw new InternalError('local_resources', 'it is not known yet what the key has used today.');
    }
    let limiter = this.limiters.get(name);
    if (!limiter) {
      limiter = new KeyLimiter(name, this.clock, this.usedToday?.get(name));
      this.limiters.set(name, limiter);
    }
    return limiter;
  }
}
