import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SessionPool } from '../../accounts/pool/session-pool.js';
import { Clock } from '../../common/time/clock.js';
import { MINUTE_MS } from '../../common/time/durations.js';
import { MAX_MINUTES } from '../dto/overview-query.dto.js';

const LOOK_MS = 1000;

/** The pool within one minute, at the moment of its highest need. */
export interface PoolMinute {
  /** Beginning, in Unix milliseconds. */
  readonly at: number;
  /** Most sessions that the ready accounts may have. */
  readonly capacity: number;
  /** Most sessions in use. */
  readonly leases: number;
  /** Most requests in the queue. */
  readonly waiting: number;
}

/** Utilisation of the pool, minute by minute, since the start. Kept in memory: 400 KB for a week. */
@Injectable()
export class PoolHistory implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly minutes: PoolMinute[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: SessionPool,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** The minutes since a time, the present one included. */
  since(from: number): readonly PoolMinute[] {
    this.look();
    return this.minutes.filter(({ at }) => at + MINUTE_MS > from);
  }

  /** Adds the present state. */
  private look(): void {
    const now = this.clock.now();
    const at = now - (now % MINUTE_MS);
    const { leases, waiting, capacity } = this.pool.stats();
    const last = this.minutes.at(-1);
    if (last?.at !== at) {
      this.minutes.push({ at, capacity, leases, waiting });
      if (this.minutes.length > MAX_MINUTES) {
        this.minutes.shift();
      }
      return;
    }
    this.minutes[this.minutes.length - 1] = {
      at,
      capacity: Math.max(last.capacity, capacity),
      leases: Math.max(last.leases, leases),
      waiting: Math.max(last.waiting, waiting),
    };
  }
}
