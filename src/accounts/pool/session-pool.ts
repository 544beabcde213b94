import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { ShutdownError, type TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { OncePerTurn } from '../../common/time/once-per-turn.js';
import { Random } from '../../common/time/random.js';
import { UpstreamDriver } from '../../upstream/upstream-driver.js';
import { type Account } from '../registry/account.js';
import { type AccountChange } from '../registry/account-changes.js';
import { AccountHealth } from '../registry/account-health.js';
import { AccountRegistry } from '../registry/account-registry.js';
import { chooseAccount } from './account-choice.js';
import { type ConsideredAccount } from './account-selection.js';
import { isHopeful, servesAny, suitable } from './availability.js';
import { type Lease, type SessionNeed } from './lease.js';
import { nextWakeAt } from './next-wake.js';
import { nextToOpen } from './pool-growth.js';
import { type PoolLimits, poolLimits } from './pool-limits.js';
import { poolRefusal, rateLimit, tooManyWait, waitedTooLong } from './pool-refusal.js';
import { poolCapacity, type PoolStats, poolStats } from './pool-stats.js';
import { COMMON_TURN } from './queue/fair-order.js';
import { isQueueFull } from './queue/queue-room.js';
import { WaitingQueue } from './queue/waiting-queue.js';
import { type AccountSlots } from './slots/account-slots.js';
import { SessionInventory } from './slots/session-inventory.js';
import { SlotLease } from './slots/slot-lease.js';
import { WakeTimer } from './wake-timer.js';

/**
 * Leases sessions to requests: grows under load up to the caps, rotates over the accounts, keeps a few sessions warm
 * and closes idle ones. All its decisions are made in `balance`, which runs after every event that may change one: at once,
 * or at the end of the turn of the event loop if nobody waits and no cap is exceeded (decision 375).
 */
@Injectable()
export class SessionPool implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(SessionPool.name);
  private readonly queue = new WaitingQueue<Lease>();
  private readonly inventory: SessionInventory;
  private readonly timer = new WakeTimer(() => this.balance());
  private readonly balancing = new OncePerTurn(() => this.balance());
  /** Leases so far, the accounts used before the start included. */
  private uses = 0;
  private isStopped = false;
  /** Whether leased sessions exceed a cap: a release must not leave them to another request of its turn. */
  private hasExcess = false;
  private readonly balances = new Subject<void>();
  /** Emits after each decision, when sessions or waiting requests may have changed. Receivers must be cheap. */
  readonly balanced$: Observable<void> = this.balances.asObservable();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly registry: AccountRegistry,
    private readonly health: AccountHealth,
    random: Random,
    driver: UpstreamDriver,
  ) {
    this.inventory = new SessionInventory({
      driver,
      registry,
      health,
      clock,
      random,
      onChange: () => this.balance(),
      warn: (details, message) => this.logger.warn(details, message),
    });
    for (const account of [...registry.list()].sort((a, b) => (a.lastUsedAt ?? 0) - (b.lastUsedAt ?? 0))) {
      this.inventory.of(account).usedBefore(++this.uses);
    }
    registry.changes$.subscribe((change) => this.accountChanged(change));
  }

  /** Logs every account in, in the background, so that each is known to work. */
  onApplicationBootstrap(): void {
    this.inventory.all().forEach((slots) => slots.wantSession());
    this.balance();
  }

  /**
   * Waits for a session; of an account that it has tried, only while no other could serve.
   * @param turn whose turn it takes while others wait
   * @throws TooManyRequestsError at once while every usable account cools for longer than WAIT_FOR_COOLDOWN_MS;
   *   NoUsableAccountError; DatabaseAwayError;
   *   SessionPoolExhaustedError; the upstream's error if no session can be opened; the signal's reason if it aborts
   */
  async acquire(need: SessionNeed, signal: AbortSignal, turn = COMMON_TURN): Promise<Lease> {
    signal.throwIfAborted();
    this.inventory.forgiveOutage();
    const lease = this.queue.size === 0 ? this.take(need) : undefined;
    if (lease) {
      this.balancing.ask();
      return lease;
    }
    const refusal = this.refusal(need);
    if (refusal !== undefined) {
      throw refusal;
    }
    const now = this.clock.monotonic();
    const isFull = isQueueFull(this.inventory, this.queue.demands, need, poolLimits(this.settings), now);
    if (isFull && !this.queue.displace(turn.key, tooManyWait)) {
      const last = this.take(need, true);
      if (last === undefined) {
        throw tooManyWait();
      }
      return last;
    }
    const waiting = this.queue.join(need, now, signal, turn);
    this.balance();
    return waiting;
  }

  /** The refusal of a request that met a rate limit at each account: it says when the first one is back. */
  rateLimit(need: SessionNeed, cause: unknown): TooManyRequestsError {
    return rateLimit(this.suited(need), need.model, this.clock.reading(), cause);
  }

  /** The obstacle of every account at present; for the log of a refused request. */
  obstacles(need: SessionNeed): readonly ConsideredAccount[] {
    return this.choose({ ...need, tried: new Set() }).considered;
  }

  stats(): PoolStats {
    const capacity = poolCapacity(this.registry.list(), this.settings, this.clock.monotonic());
    return poolStats(this.inventory.all(), { waiting: this.queue.size, capacity });
  }

  /** Sessions of an account that another gateway must not meet: open, being opened, or not yet forgotten. */
  sessionsOf(account: Account): number {
    return this.inventory.of(account).occupied;
  }

  /** Sessions of an account that requests use or may take. */
  sessionsNeeded(account: Account): number {
    const isSought = servesAny(account, this.waitingModels, this.clock.monotonic());
    return isSought ? Infinity : this.inventory.of(account).leases;
  }

  isLoggingIn(account: Account): boolean {
    return this.inventory.of(account).isLoggingIn;
  }

  /** Requests that wait, although every session that may be opened here is. */
  get unserved(): number {
    const mayOpen = this.inventory.size < this.settings.POOL_MAX_SESSIONS;
    return mayOpen ? Math.max(0, this.queue.size - this.inventory.opening) : 0;
  }

  /** The models that requests wait for. */
  get waitingModels(): readonly string[] {
    return this.queue.models;
  }

  /** Whether an account that was not tried can serve; one that was refused the model, only if each was. */
  canServe({ model, tried }: Omit<SessionNeed, 'only'>): boolean {
    const others = this.suited({ model }).filter(({ account }) => !tried.has(account.id));
    return others.some((slots) => isHopeful(slots, model, this.clock.monotonic()));
  }

  /** Whether there is an account to ask for the model that was not tried and has not refused it, now or after its cooldown. */
  hasOther({ model, tried }: SessionNeed): boolean {
    const now = this.clock.monotonic();
    const others = this.registry.list().filter(({ id, isUsable }) => isUsable && !tried.has(id));
    return others.some(({ refusals }) => !refusals.includes(model, now));
  }

  /**
   * Brings waiting requests, sessions and limits into agreement. To be called from outside when limits in the settings, or
   * the outlook for more accounts, have changed.
   */
  balance(): void {
    if (this.isStopped) {
      return;
    }
    const now = this.clock.monotonic();
    const limits = poolLimits(this.settings);
    this.hasExcess = this.inventory.closeExcess(limits.maxSessions, limits.maxPerAccount);
    this.queue.expire(
      now - limits.acquireTimeoutMs,
      (need) => this.refusal(need, 0) ?? waitedTooLong(this.suited(need), need, this.clock.reading()),
    );
    this.queue.serve(
      (need) => this.take(need),
      () => this.inventory.longestIdle() !== undefined,
    );
    this.queue.refuse((need) => this.refusal(need));
    this.inventory.closeBroken();
    this.inventory.closeIdle(now - limits.idleMs, limits.minSessions);
    this.grow(limits, now);
    this.schedule(limits, now);
    this.balances.next();
  }

  /** Refuses all requests from now on: the running ones have had their time. */
  beforeApplicationShutdown(): void {
    this.isStopped = true;
    this.timer.stop();
    this.balancing.stop();
    this.queue.refuse((need) => this.refusal(need));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.inventory.close();
  }

  private accountChanged({ account, kind }: AccountChange): void {
    switch (kind) {
      case 'opened':
        this.inventory.of(account).reopen();
        break;
      case 'cleared':
        this.inventory.of(account).clearBackoff();
        break;
      case 'logged_out':
        this.inventory.of(account).renewLogin();
        break;
      case 'closed':
        this.inventory.closeAccount(account);
        break;
      case 'cooling':
      case 'resized':
      case 'handed_over':
        break;
    }
    this.balance();
  }

  /** @param isLast whether the request is refused otherwise, so that no account is passed over */
  private take(need: SessionNeed, isLast = false): Lease | undefined {
    if (this.isStopped) {
      return undefined;
    }
    this.inventory.closeBroken();
    const { chosen, considered, turn } = this.choose(need, isLast);
    if (!chosen) {
      return undefined;
    }
    // The request takes an idle session; the account whose turn it was gets a session for the next request.
    if (turn && this.inventory.takePlaceForTurn(this.settings.POOL_MAX_SESSIONS)) {
      turn.wantSession();
    }
    return this.lend(chosen, need.model, considered);
  }

  private suited(need: Pick<SessionNeed, 'model' | 'only'>): readonly AccountSlots[] {
    return suitable(this.inventory.all(), need, this.clock.monotonic());
  }

  private choose(need: SessionNeed, isLast = false): ReturnType<typeof chooseAccount> {
    const maxPerAccount = this.settings.POOL_MAX_SESSIONS_PER_ACCOUNT;
    return chooseAccount(this.inventory.all(), need, { maxPerAccount, isLast }, this.clock.monotonic());
  }

  private lend(
    slots: AccountSlots,
    model: string,
    considered: readonly ConsideredAccount[],
  ): Lease | undefined {
    const slot = slots.lend(++this.uses);
    if (!slot?.opened) {
      return undefined;
    }
    return new SlotLease({ slots, slot, opened: slot.opened, model, considered }, this.health, () => {
      this.inventory.giveBack(slots, slot);
      if (this.queue.size > 0 || this.hasExcess) {
        this.balance();
      } else {
        this.balancing.ask();
      }
    });
  }

  /**
   * The reason why no such request can be served by waiting; undefined if waiting makes sense.
   * @param longestWaitMs cooldown that is waited out
   */
  private refusal(need: SessionNeed, longestWaitMs = this.settings.WAIT_FOR_COOLDOWN_MS): Error | undefined {
    if (this.isStopped) {
      return new ShutdownError();
    }
    const { isDatabaseAway } = this.registry;
    return poolRefusal(this.suited(need), need.model, this.clock.reading(), longestWaitMs, isDatabaseAway);
  }

  private grow(limits: PoolLimits, now: number): void {
    for (;;) {
      const slots = nextToOpen(this.inventory.all(), this.queue.demands, limits, now);
      if (!slots || !this.inventory.makeRoom(limits.maxSessions)) {
        return;
      }
      this.inventory.open(slots);
    }
  }

  private schedule(limits: PoolLimits, now: number): void {
    const situation = {
      all: this.inventory.all(),
      size: this.inventory.size,
      waitingSince: this.queue.waitingSince,
      longestIdleSince: this.inventory.longestIdle()?.idleSince,
    };
    this.timer.wakeAt(nextWakeAt(situation, limits, now), now);
  }
}
