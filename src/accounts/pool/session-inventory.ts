import { type Clock } from '../../common/time/clock.js';
import { LoginRequiredError, RateLimitedError, type UpstreamError } from '../../upstream/upstream.errors.js';
import { type UpstreamDriver } from '../../upstream/upstream-driver.js';
import { type Account } from '../registry/account.js';
import { type AccountHealth } from '../registry/account-health.js';
import { type AccountRegistry } from '../registry/account-registry.js';
import { type Random } from '../registry/random.js';
import { AccountSlots, type PooledSession } from './account-slots.js';
import { openSession } from './open-session.js';

const OPEN_LIMIT_MS = 60_000;
/** How long a shutdown waits for sessions to close. */
const CLOSE_LIMIT_MS = 5000;

/** The sessions that are open, by account; opens and closes them. Decides nothing. */
export class SessionInventory {
  private readonly slots = new Map<string, AccountSlots>();
  private readonly unfinished = new Set<Promise<unknown>>();
  private readonly stop = new AbortController();
  private sessionCount = 0;

  /**
   * @param onChange called after a session was opened, or could not be
   * @param warn takes what the operator should know
   */
  constructor(
    private readonly driver: UpstreamDriver,
    private readonly registry: AccountRegistry,
    private readonly health: AccountHealth,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly onChange: () => void,
    private readonly warn: (details: object, message: string) => void,
  ) {}

  all(): AccountSlots[] {
    return [...this.slots.values()];
  }

  of(account: Account): AccountSlots {
    let slots = this.slots.get(account.id);
    if (!slots) {
      slots = new AccountSlots(account);
      this.slots.set(account.id, slots);
    }
    return slots;
  }

  /** Starts to open a session; reports by `onChange`. */
  open(slots: AccountSlots): void {
    const { epoch } = slots;
    slots.opening += 1;
    const opening = openSession(
      async (signal) => {
        await slots.forgetting;
        return this.driver.open(this.registry.toUpstream(slots.account), signal);
      },
      AbortSignal.any([this.stop.signal, slots.retired]),
      OPEN_LIMIT_MS,
    ).then(
      (session) => {
        slots.opening -= 1;
        if (epoch === slots.epoch) {
          slots.isWanted = false;
          slots.openSucceeded();
          this.health.loggedIn(slots.account);
        }
        this.putBack(slots, { id: `s${++this.sessionCount}`, session, epoch, idleSince: 0 });
      },
      (error: UpstreamError) => {
        slots.opening -= 1;
        if (epoch === slots.epoch && !this.stop.signal.aborted) {
          this.openFailed(slots, error);
        }
        this.forgetIfDrained(slots);
      },
    );
    this.track(opening.then(this.onChange));
  }

  /** Takes a session that nobody uses any more: keeps it for the next request, or closes it. */
  putBack(slots: AccountSlots, pooled: PooledSession): void {
    const isCurrent = pooled.epoch === slots.epoch && slots.account.isUsable;
    if (isCurrent && pooled.session.isUsable && !this.stop.signal.aborted) {
      pooled.idleSince = this.clock.monotonic();
      slots.idle.push(pooled);
    } else {
      this.track(pooled.session.close());
      this.forgetIfDrained(slots);
    }
  }

  /** Closes idle sessions that have become unusable. */
  dropBroken(): void {
    for (const slots of this.slots.values()) {
      for (let at = slots.idle.length - 1; at >= 0; at -= 1) {
        if (!slots.idle[at]?.session.isUsable) {
          this.closeAt(slots, at);
        }
      }
    }
  }

  /** Closes what belongs to a login that ran out, and has a session opened with a new one. */
  renew(account: Account): void {
    const slots = this.of(account);
    slots.epoch += 1;
    slots.isWanted = true;
    this.closeIdle(slots);
  }

  /** Sessions over all accounts, those being opened included. */
  get size(): number {
    return this.all().reduce((sum, slots) => sum + slots.size, 0);
  }

  /** Closes sessions that have been idle since before a moment, the longest first, but leaves a number open. */
  dropIdle(since: number, leave: number): void {
    let longest = this.longestIdle();
    while (longest && longest.idleSince <= since && this.size > leave) {
      this.closeAt(longest.slots, 0);
      longest = this.longestIdle();
    }
  }

  /** Closes idle sessions beyond caps that were lowered; those in use follow when they come back. */
  dropExcess(max: number, maxPerAccount: number): void {
    for (const slots of this.slots.values()) {
      while (slots.size > maxPerAccount && slots.idle.length > 0) {
        this.closeAt(slots, 0);
      }
    }
    if (this.size > max) {
      this.dropIdle(Infinity, max);
    }
  }

  /** Ends the account's present login: idle sessions are closed now, those in use when they come back. */
  retire(account: Account): void {
    const slots = this.slots.get(account.id);
    if (!slots) {
      return;
    }
    slots.retire();
    slots.isWanted = false;
    slots.mustForget = true;
    this.closeIdle(slots);
    this.forgetIfDrained(slots);
  }

  /** The session that has been idle longest. */
  longestIdle(): { readonly slots: AccountSlots; readonly idleSince: number } | undefined {
    let longest: { slots: AccountSlots; idleSince: number } | undefined;
    for (const slots of this.slots.values()) {
      const idleSince = slots.idle[0]?.idleSince;
      if (idleSince !== undefined && (!longest || idleSince < longest.idleSince)) {
        longest = { slots, idleSince };
      }
    }
    return longest;
  }

  /**
   * Closes idle sessions until another one fits under `max`: one that others cannot use must not keep one from being
   * opened that is needed. False if all are in use.
   */
  makeRoom(max: number): boolean {
    this.dropIdle(Infinity, max - 1);
    return this.size < max;
  }

  async close(): Promise<void> {
    this.stop.abort();
    for (const slots of this.slots.values()) {
      this.closeIdle(slots);
    }
    const { promise: limit, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_LIMIT_MS);
    await Promise.race([Promise.all(this.unfinished), limit]);
    clearTimeout(timer);
  }

  private openFailed(slots: AccountSlots, error: UpstreamError): void {
    const { account } = slots;
    if (error instanceof LoginRequiredError) {
      this.health.loginLost(account, error);
      return;
    }
    // A limit that is said to be over at once is no leave to ask on and on.
    slots.openFailed(error, this.clock.monotonic(), this.random.next());
    if (error instanceof RateLimitedError) {
      this.health.coolDown(account, error.retryAfterMs, error.message);
    } else {
      const { reason, message } = error;
      this.warn({ account: account.name, reason, detail: message }, 'no session could be opened');
    }
  }

  private closeIdle(slots: AccountSlots): void {
    while (slots.idle.length > 0) {
      this.closeAt(slots, 0);
    }
  }

  private closeAt(slots: AccountSlots, index: number): void {
    for (const { session } of slots.idle.splice(index, 1)) {
      this.track(session.close());
    }
  }

  private forgetIfDrained(slots: AccountSlots): void {
    if (!slots.mustForget || slots.size > 0) {
      return;
    }
    slots.mustForget = false;
    slots.forgetting = this.driver.forget(slots.account.id).catch((error: unknown) => {
      this.warn({ account: slots.account.name, err: error }, 'the driver could not forget an account');
    });
    this.track(slots.forgetting);
    if (!this.registry.has(slots.account)) {
      this.slots.delete(slots.account.id);
    }
  }

  /** Remembers work that a shutdown must wait for. */
  private track(work: Promise<unknown>): void {
    const settled = work.catch((error: unknown) => {
      this.warn({ err: error }, 'a session could not be closed properly');
    });
    this.unfinished.add(settled);
    void settled.finally(() => this.unfinished.delete(settled));
  }
}
