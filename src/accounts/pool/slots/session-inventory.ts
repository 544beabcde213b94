import { type Clock } from '../../../common/time/clock.js';
import { type Random } from '../../../common/time/random.js';
import { settledWithin } from '../../../common/time/settled-within.js';
import { withoutSecrets } from '../../../upstream/credential-secrets.js';
import { type UpstreamError } from '../../../upstream/upstream.errors.js';
import { type UpstreamDriver, type UpstreamSession } from '../../../upstream/upstream-driver.js';
import { FAILED_OPENING, judgeFailure } from '../../failure-policy.js';
import { type Account } from '../../registry/account.js';
import { type AccountHealth } from '../../registry/account-health.js';
import { type AccountRegistry } from '../../registry/account-registry.js';
import { AccountSlots } from './account-slots.js';
import { openSession } from './open-session.js';
import { type Slot } from './slot.js';

/** Time limit for opening a session, a login included. */
const OPEN_LIMIT_MS = 60_000;
/** Time limit of a shutdown for closing the sessions. */
const CLOSE_LIMIT_MS = 5000;

/** Time between two idle sessions that give way to an account without one, which may have to log in. */
const GIVE_WAY_MS = 5000;

/** Services that the inventory works with. */
interface InventoryDependencies {
  readonly driver: UpstreamDriver;
  readonly registry: AccountRegistry;
  readonly health: AccountHealth;
  readonly clock: Clock;
  readonly random: Random;
  /** Called after a session was opened, or could not be. */
  readonly onChange: () => void;
  /** Logs a warning for the operator. */
  readonly warn: (details: object, message: string) => void;
}

/** The slots of all accounts; opens and closes their sessions with the driver. Decides nothing. */
export class SessionInventory {
  private readonly slots = new Map<string, AccountSlots>();
  /** The same as a list, which each request reads several times; undefined once it has changed. */
  private list: readonly AccountSlots[] | undefined;
  /** Slots that back off since an outage of the whole upstream. */
  private readonly stopped = new Set<AccountSlots>();
  private readonly unfinished = new Set<Promise<unknown>>();
  private lastGaveWayAt = -Infinity;
  private isClosed = false;
  private sessionCount = 0;

  constructor(private readonly dependencies: InventoryDependencies) {}

  all(): readonly AccountSlots[] {
    return (this.list ??= [...this.slots.values()]);
  }

  /** The slots of an account; none at its first mention. */
  of(account: Account): AccountSlots {
    let slots = this.slots.get(account.id);
    if (!slots) {
      slots = new AccountSlots(account, (session) => this.closeSession(session));
      this.slots.set(account.id, slots);
      this.list = undefined;
    }
    return slots;
  }

  /** Slots of all accounts, those being opened included. */
  get size(): number {
    return this.all().reduce((sum, slots) => sum + slots.size, 0);
  }

  /** Sessions that are being opened, apart from those that are late. */
  get opening(): number {
    const now = this.dependencies.clock.monotonic();
    return this.all().reduce((sum, slots) => sum + slots.openingInTime(now), 0);
  }

  /** Starts to open a session; calls `onChange` when that has ended. */
  open(slots: AccountSlots): void {
    const { driver, registry, clock } = this.dependencies;
    const slot = slots.startOpening(clock.monotonic());
    const opening = openSession(
      async (signal) => {
        await slots.forgotten;
        return driver.open(registry.toUpstream(slots.account), signal);
      },
      slots.openingSignal,
      OPEN_LIMIT_MS,
    ).then(
      (session) => this.opened(slots, slot, session),
      (error: UpstreamError) =>
        this.openingFailed(slots, slot, withoutSecrets(error, slots.account.credentials)),
    );
    this.track(opening.then(this.dependencies.onChange));
  }

  /** Permits openings at once that have failed in an outage which is over: it said nothing about their accounts. */
  forgiveOutage(): void {
    if (this.stopped.size > 0 && !this.dependencies.driver.outage) {
      this.stopped.forEach((slots) => slots.clearBackoff());
      this.stopped.clear();
    }
  }

  /** Takes a slot back from its lease. */
  giveBack(slots: AccountSlots, slot: Slot): void {
    slots.giveBack(slot, this.dependencies.clock.monotonic());
    this.forgetIfDrained(slots);
  }

  /** Ends the use of an account: idle sessions are closed now, leased ones when they come back. */
  closeAccount(account: Account): void {
    const slots = this.slots.get(account.id);
    if (slots) {
      slots.close();
      this.forgetIfDrained(slots);
    }
  }

  /** Closes idle sessions that have become unusable. */
  closeBroken(): void {
    const { clock, random } = this.dependencies;
    const now = clock.monotonic();
    const chance = (): number => random.next();
    for (const slots of this.all()) {
      slots.retireBroken(now, chance);
    }
  }

  /**
   * Closes idle sessions, the longest idle first.
   * @param since only those idle since then or longer, in monotonic milliseconds
   * @param minSize number of sessions that stay open
   */
  closeIdle(since: number, minSize: number): void {
    let longest = this.longestIdle();
    while (longest && longest.idleSince <= since && this.size > minSize) {
      longest.slots.retireLongestIdle();
      longest = this.longestIdle();
    }
  }

  /**
   * Closes idle sessions beyond caps that were lowered; leased ones follow when they come back.
   * @returns whether there are any left
   */
  closeExcess(maxSize: number, maxPerAccount: number): boolean {
    let isAny = false;
    for (const slots of this.all()) {
      const most = slots.account.tenure.partOf(maxPerAccount);
      while (slots.size > most && slots.idle > 0) {
        slots.retireLongestIdle();
      }
      isAny ||= slots.size > most;
    }
    if (this.size > maxSize) {
      this.closeIdle(Infinity, maxSize);
      isAny ||= this.size > maxSize;
    }
    return isAny;
  }

  /**
   * Closes idle sessions until another one fits under `maxSize`, since the idle ones may belong to accounts that cannot
   * serve. False if all are leased.
   */
  makeRoom(maxSize: number): boolean {
    this.closeIdle(Infinity, maxSize - 1);
    return this.size < maxSize;
  }

  /**
   * Whether an account whose turn it is may have a session although no request waits for it: under `maxSize`, or, every five
   * seconds, in place of an idle one, as long as another stays. So no account is left over where there are more than
   * sessions.
   */
  takePlaceForTurn(maxSize: number): boolean {
    const now = this.dependencies.clock.monotonic();
    if (this.size < maxSize) {
      return true;
    }
    const idle = this.all().reduce((sum, slots) => sum + slots.idle, 0);
    // The request takes one of them.
    if (idle <= 2 || now < this.lastGaveWayAt + GIVE_WAY_MS) {
      return false;
    }
    this.lastGaveWayAt = now;
    return true;
  }

  /** The account whose session has been idle longest, and since when. */
  longestIdle(): { readonly slots: AccountSlots; readonly idleSince: number } | undefined {
    let longest: { slots: AccountSlots; idleSince: number } | undefined;
    for (const slots of this.all()) {
      const idleSince = slots.longestIdleSince;
      if (idleSince !== undefined && (!longest || idleSince < longest.idleSince)) {
        longest = { slots, idleSince };
      }
    }
    return longest;
  }

  /** Aborts all openings and closes all sessions, within 5 s. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const slots of this.slots.values()) {
      slots.shutDown();
    }
    await settledWithin(CLOSE_LIMIT_MS, Promise.all(this.unfinished));
  }

  private opened(slots: AccountSlots, slot: Slot, session: UpstreamSession): void {
    const { clock, driver, health } = this.dependencies;
    this.sessionCount += 1;
    slots.opened(slot, { id: `s${this.sessionCount}`, session }, clock.monotonic());
    if (slots.isCurrent(slot)) {
      health.loggedIn(slots.account, driver.opensProven);
    }
    this.forgetIfDrained(slots);
  }

  private openingFailed(slots: AccountSlots, slot: Slot, error: UpstreamError): void {
    slots.openingFailed(slot);
    if (slots.isCurrent(slot) && !this.isClosed) {
      this.applyFailure(slots, error);
    }
    this.forgetIfDrained(slots);
  }

  private applyFailure(slots: AccountSlots, error: UpstreamError): void {
    const { clock, driver, health, random, warn } = this.dependencies;
    const { account } = slots;
    const { account: verdict } = judgeFailure(error, FAILED_OPENING);
    if (verdict.kind === 'login_lost') {
      health.loginLost(account, verdict.error);
      return;
    }
    // A rate limit backs off, too: one without a wait of its own would have the account tried without end.
    slots.backOff(error, clock.monotonic(), random.next());
    if (driver.outage) {
      this.stopped.add(slots);
    }
    if (verdict.kind === 'cooldown') {
      health.coolDown(account, verdict.cooldownMs, verdict.cause);
    } else {
      const { fault, message: detail } = error;
      warn({ account: account.name, fault, detail }, 'no session could be opened');
    }
  }

  /** Has the driver forget a closed account once its last slot is gone. */
  private forgetIfDrained(slots: AccountSlots): void {
    if (!slots.takeDrained()) {
      return;
    }
    const { driver, registry, warn } = this.dependencies;
    const { account } = slots;
    const forgetting = driver.forget(account.id).catch((error: unknown) => {
      warn({ account: account.name, err: error }, 'the driver could not forget an account');
    });
    slots.waitForForgetting(forgetting);
    this.track(forgetting.then(this.dependencies.onChange));
    if (!registry.has(account)) {
      this.slots.delete(account.id);
      this.stopped.delete(slots);
      this.list = undefined;
    }
  }

  private closeSession(session: UpstreamSession): void {
    this.track(session.close());
  }

  /** Work that a shutdown must wait for. */
  private track(work: Promise<unknown>): void {
    const settled = work.catch((error: unknown) => {
      this.dependencies.warn({ err: error }, 'a session could not be closed properly');
    });
    this.unfinished.add(settled);
    void settled.finally(() => this.unfinished.delete(settled));
  }
}
