import { type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { GatewayError, InternalError } from '../../common/errors/gateway.errors.js';
import { type LimitFormat } from '../../common/http/access/limit-format.js';
import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { Clock } from '../../common/time/clock.js';
import { type AccessKey, eachLimit, type LimitName } from '../access-key.js';
import { type DividedLimits, KeyLimiter } from './key-limiter.js';
import { KeySlot } from './key-slot.js';
import { type KeyDemand, LimitParts } from './limit-parts.js';
import { type TokenReservation } from './token-day.js';

const SLOT = Symbol('place among the concurrent requests of its key');

/** A property, since each entry of a `WeakMap` is looked at again in each garbage collection. */
type Admitted = ServerResponse & { [SLOT]?: KeySlot };

/** Holds the keys to their limits, each by a limiter of its own from its first use on. */
@Injectable()
export class KeyLimiters {
  private readonly limiters = new Map<string, KeyLimiter>();
  /** Whether it is known what was used today before the start. */
  private isUsageKnown: boolean;

  constructor(
    private readonly clock: Clock,
    private readonly parts: LimitParts,
  ) {
    parts.serve(this);
    // What was used before is held by the parts of then.
    this.isUsageKnown = parts.isDivided;
  }

  /**
   * Counts a request against the limits of its key, until the response is closed, and tells what is left of them, in a
   * refusal, too.
   * @throws TooManyRequestsError
   */
  countRequest(key: AccessKey, response: Admitted, format: LimitFormat): void {
    if (response.closed) {
      return;
    }
    const divided = this.divided(key);
    const limiter = this.limiterOf(key);
    try {
      this.noting(divided, () => limiter.enter(divided));
    } finally {
      limiter.setHeaders(divided, response, format);
    }
    const slot = new KeySlot(limiter);
    response[SLOT] = slot;
    response.on('close', () => slot.release());
  }

  /** The place of a request that was admitted. */
  slotOf(response: Admitted): KeySlot | undefined {
    return response[SLOT];
  }

  /**
   * Sets tokens of the day aside; undefined for a key without such a limit.
   * @param least as many as suffice
   * @throws TooManyRequestsError if fewer are left, InvalidRequestError if the key never has as many
   */
  reserve(key: AccessKey, tokens: number, least?: number): TokenReservation | undefined {
    const divided = this.divided(key);
    return this.noting(divided, () => this.limiterOf(key).reserve(tokens, divided, least));
  }

  /** Counts tokens that were used without being set aside: the key may be given a limit later in the day. */
  count({ name }: AccessKey, tokens: number): void {
    // Until then they are counted as used before.
    if (this.isUsageKnown) {
      this.limiterNamed(name).count(tokens);
    }
  }

  /**
   * Tells what each key used today before the start, or before it could be read.
   * @param file name of the log's file, which has counted it; undefined while that is not open
   */
  takeUsedToday(tokens: ReadonlyMap<string, number>, file?: string): void {
    if (!this.parts.isDivided) {
      this.isUsageKnown = true;
      tokens.forEach((used, name) => this.limiterNamed(name).count(used));
    } else if (file !== undefined) {
      this.parts.usedEarlier({ file, tokens });
    }
  }

  /** The rest of the day's tokens on this node; undefined for a key without such a limit. */
  tokensLeft(key: AccessKey): number | undefined {
    const { tokensPerDay } = this.divided(key).part;
    return tokensPerDay === null ? undefined : this.limiterOf(key).tokensLeft(tokensPerDay);
  }

  /** Whether limits are divided among several gateways. */
  get areDivided(): boolean {
    return this.parts.isDivided;
  }

  /** Units of each limit that the key has in use on this node. */
  inUse(name: string): Readonly<Record<LimitName, number>> {
    const demand = this.demandOf(name);
    return eachLimit((limit) => demand?.[limit].used ?? 0);
  }

  /** Milliseconds until the requests a minute let another one in on this node; 0 if they do now. */
  waitMs(key: AccessKey): number {
    const limit = this.parts.of(key)?.requestsPerMinute ?? null;
    return limit === null ? 0 : (this.limiters.get(key.name)?.waitMs(limit) ?? 0);
  }

  /** Tells which keys there are now. */
  keysChanged(keys: readonly AccessKey[]): Promise<void> {
    return this.parts.keysChanged(keys);
  }

  demandOf(name: string): KeyDemand | undefined {
    return this.limiters.get(name)?.demand();
  }

  private divided(limits: AccessKey): DividedLimits {
    const part = this.parts.of(limits);
    if (!part) {
      throw new InternalError('database_away', 'the limits of the key are not known at present.', {
        retryAfterMs: 1000,
      });
    }
    return { limits, part };
  }

  /** A refusal within a part may mean that another node has what is missing here. */
  private noting<T>({ limits, part }: DividedLimits, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof GatewayError && part !== limits) {
        this.parts.exchangeSoon();
      }
      throw error;
    }
  }

  private limiterOf({ name, tokensPerDay }: AccessKey): KeyLimiter {
    if (!this.isUsageKnown && tokensPerDay !== null) {
      throw new InternalError('local_resources', 'the usage of the key today is not known yet.');
    }
    return this.limiterNamed(name);
  }

  private limiterNamed(name: string): KeyLimiter {
    return getOrInsert(this.limiters, name, () => new KeyLimiter(name, this.clock));
  }
}
