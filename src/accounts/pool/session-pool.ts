import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Settings } from '../../common/config/settings.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { UpstreamDriver } from '../../upstream/upstream-driver.js';
import { AccountHealth } from '../registry/account-health.js';
import { type AccountChange, AccountRegistry } from '../registry/account-registry.js';
import { SessionPoolExhaustedError } from '../registry/accounts.errors.js';
import { Random } from '../registry/random.js';
import { byUse, type ConsideredAccount, selectAccount } from './account-selection.js';
import { type AccountSlots } from './account-slots.js';
import { type Lease } from './lease.js';
import { nextToOpen, type PoolLimits } from './pool-growth.js';
import { earliestEndMs, poolRefusal } from './pool-refusal.js';
import { type PoolStats, poolStats } from './pool-stats.js';
import { SessionInventory } from './session-inventory.js';
import { WaitingQueue } from './waiting-queue.js';
import { WakeTimer } from './wake-timer.js';

/** How often idle sessions are looked at, so that broken ones are replaced before a request needs them. */
const CHECK_MS = 5000;

const NONE: ReadonlySet<string> = new Set();

/**
 * Lends sessions to requests: grows under load up to the caps, rotates over the accounts, keeps a few sessions warm
 * and closes idle ones. All its decisions are made in `balance`, which runs after everything that may
 * change one.
 */
@Injectable()
export class SessionPool implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(SessionPool.name);
  private readonly queue = new WaitingQueue<Lease>();
  private readonly inventory: SessionInventory;
  private readonly timer = new WakeTimer(() => this.balance());
  private uses = 0;
  private isStopped = false;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    registry: AccountRegistry,
    private readonly health: AccountHealth,
    random: Random,
    driver: UpstreamDriver,
  ) {
    this.inventory = new SessionInventory(
      driver,
      registry,
      health,
      clock,
      random,
      () => this.balance(),
      (details, message) => this.logger.warn(details, message),
    );
    for (const account of [...registry.list()].sort((a, b) => (a.lastUsedAt ?? 0) - (b.lastUsedAt ?? 0))) {
      this.inventory.of(account).lastUse = ++this.uses;
    }
    registry.changes$.subscribe((change) => this.accountChanged(change));
  }

  /** Logs every account in, in the background, so that each is known to work. */
  onApplicationBootstrap(): void {
    for (const slots of this.inventory.all()) {
      slots.isWanted = true;
    }
    this.balance();
  }

  /**
   * Waits for a session.
   * @param tried ids of accounts to avoid while another one could serve
   * @throws RateLimitError at once while every usable account cools; NoUsableAccountError;
   *   SessionPoolExhaustedError; the upstream's error if no session can be opened; the signal's reason if it aborts
   */
  async acquire(tried: ReadonlySet<string>, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    const lease = this.queue.size === 0 ? this.take(tried) : undefined;
    if (lease) {
      this.balance();
      return lease;
    }
    const refusal = this.refusal(this.clock.monotonic());
    if (refusal !== undefined) {
      throw refusal;
    }
    if (this.queue.size >= this.settings.POOL_QUEUE_LIMIT) {
      throw new SessionPoolExhaustedError('too many requests wait for a session');
    }
    const waiting = this.queue.join(tried, this.clock.monotonic(), signal);
    this.balance();
    return waiting;
  }

  /** Milliseconds until the first usable account is out of its cooldown; 0 if one is. */
  retryAfterMs(): number {
    return earliestEndMs(this.inventory.all(), this.clock.monotonic());
  }

  /** Every account and what keeps it from taking a lease at present; for the log of a request that got none. */
  obstacles(): readonly ConsideredAccount[] {
    const now = this.clock.monotonic();
    return selectAccount(this.inventory.all().map((slots) => slots.candidate(now, false))).considered;
  }

  stats(): PoolStats {
    return poolStats(this.inventory.all(), this.queue.size);
  }

  /** Limits of the pool were changed in the settings. */
  limitsChanged(): void {
    this.balance();
  }

  /** No more leases from here on: running requests have had their time. */
  beforeApplicationShutdown(): void {
    this.isStopped = true;
    this.timer.stop();
    this.queue.refuseAll(this.refusal(this.clock.monotonic()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.inventory.close();
  }

  private accountChanged({ account, kind }: AccountChange): void {
    if (kind === 'opened') {
      const slots = this.inventory.of(account);
      slots.isWanted = true;
      slots.mustForget = false;
      slots.openSucceeded();
    } else if (kind === 'cleared') {
      this.inventory.of(account).openSucceeded();
    } else if (kind === 'logged_out') {
      this.inventory.renew(account);
    } else if (kind === 'closed') {
      this.inventory.retire(account);
    }
    this.balance();
  }

  /** Brings waiting requests, sessions and limits into agreement. */
  private balance(): void {
    if (this.isStopped) {
      return;
    }
    const now = this.clock.monotonic();
    const { POOL_ACQUIRE_TIMEOUT_MS, POOL_IDLE_MS, POOL_MIN_SESSIONS } = this.settings;
    const { POOL_MAX_SESSIONS, POOL_MAX_SESSIONS_PER_ACCOUNT } = this.settings;
    this.inventory.dropExcess(POOL_MAX_SESSIONS, POOL_MAX_SESSIONS_PER_ACCOUNT);
    this.queue.expire(
      now - POOL_ACQUIRE_TIMEOUT_MS,
      () => new SessionPoolExhaustedError('no session became free in time'),
    );
    this.queue.serve((tried) => this.take(tried));
    const refusal = this.queue.size > 0 ? this.refusal(now) : undefined;
    if (refusal !== undefined) {
      this.queue.refuseAll(refusal);
    }
    this.inventory.dropBroken();
    this.inventory.dropIdle(now - POOL_IDLE_MS, POOL_MIN_SESSIONS);
    this.grow(now);
    this.schedule(now);
  }

  private take(tried: ReadonlySet<string>): Lease | undefined {
    if (this.isStopped) {
      return undefined;
    }
    const now = this.clock.monotonic();
    this.inventory.dropBroken();
    const all = this.inventory.all();
    const couldServe = (slots: AccountSlots) => slots.isHopeful(now) && slots.obstacle(now) === undefined;
    const mayAvoid = tried.size > 0 && all.some((slots) => !tried.has(slots.account.id) && couldServe(slots));
    const { chosen, considered } = selectAccount(
      all.map((slots) => slots.candidate(now, mayAvoid && tried.has(slots.account.id))),
    );
    if (!chosen) {
      return undefined;
    }
    // The request takes what is there; the account whose turn it was gets a session for the next one.
    const turn = all.filter(couldServe).sort(byUse)[0];
    if (turn && turn.idle.length === 0 && this.inventory.size < this.settings.POOL_MAX_SESSIONS) {
      turn.isWanted = true;
    }
    return this.lend(chosen.slots, considered);
  }

  private lend(slots: AccountSlots, considered: readonly ConsideredAccount[]): Lease | undefined {
    const pooled = slots.idle.pop();
    if (!pooled) {
      return undefined;
    }
    const { account } = slots;
    const probe = account.cooldown.leaseStarted();
    slots.leases += 1;
    slots.lastUse = ++this.uses;
    let isHeld = true;
    return {
      account,
      sessionId: pooled.id,
      session: pooled.session,
      considered,
      isCurrent: () => pooled.epoch === slots.epoch,
      answered: () => {
        if (pooled.epoch === slots.epoch) {
          this.health.loginAnswered(account);
        }
        if (probe !== undefined) {
          this.health.probeAnswered(account, probe);
        }
      },
      release: () => {
        if (!isHeld) {
          return;
        }
        isHeld = false;
        slots.leases -= 1;
        if (probe !== undefined) {
          account.cooldown.probeEnded(probe);
        }
        this.inventory.putBack(slots, pooled);
        this.balance();
      },
    };
  }

  /** Why nobody can be served however long they wait; undefined if waiting makes sense. */
  private refusal(now: number): Error | undefined {
    if (this.isStopped) {
      return new InternalError('The gateway is shutting down.');
    }
    return poolRefusal(this.inventory.all(), now);
  }

  private grow(now: number): void {
    const { POOL_MIN_SESSIONS, POOL_MAX_SESSIONS, POOL_MAX_SESSIONS_PER_ACCOUNT } = this.settings;
    const limits: PoolLimits = {
      minSessions: POOL_MIN_SESSIONS,
      maxSessions: POOL_MAX_SESSIONS,
      maxPerAccount: POOL_MAX_SESSIONS_PER_ACCOUNT,
    };
    for (;;) {
      const demand = { waiting: this.queue.size, tried: this.queue.first?.tried ?? NONE };
      const slots = nextToOpen(this.inventory.all(), demand, limits, now);
      if (!slots || !this.inventory.makeRoom(POOL_MAX_SESSIONS)) {
        return;
      }
      this.inventory.open(slots);
    }
  }

  private schedule(now: number): void {
    const { POOL_ACQUIRE_TIMEOUT_MS, POOL_IDLE_MS, POOL_MIN_SESSIONS } = this.settings;
    const { first } = this.queue;
    const times: (number | undefined)[] = [first && first.since + POOL_ACQUIRE_TIMEOUT_MS];
    for (const slots of this.inventory.all()) {
      if (slots.account.isUsable) {
        times.push(slots.account.cooldown.nextStartAt(now), slots.reopensAt(now));
      }
    }
    const longest = this.inventory.longestIdle();
    if (longest) {
      times.push(now + CHECK_MS);
    }
    if (longest && this.inventory.size > POOL_MIN_SESSIONS) {
      times.push(longest.idleSince + POOL_IDLE_MS);
    }
    this.timer.wakeAt(Math.min(...times.filter((time) => time !== undefined)), now);
  }
}
