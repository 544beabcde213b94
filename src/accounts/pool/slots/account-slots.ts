import { FailureBackoff } from '../../../common/time/failure-backoff.js';
import { type UpstreamError } from '../../../upstream/upstream.errors.js';
import { type UpstreamSession } from '../../../upstream/upstream-driver.js';
import { type Account } from '../../registry/account.js';
import { type NamedSession, Slot } from './slot.js';

/** Longest wait before another session is opened after a failure. */
const LONGEST_BACKOFF_MS = 60_000;
/** An opening that takes longer may hang. Most logins are done by then. */
const LATE_OPENING_MS = 10_000;

/**
 * The slots of one account. Its methods are the only writers, of the slots as well as of the account's state in the
 * pool; the getters below serve the pool's decisions.
 *
 *     startOpening ─> opening ──opened──> idle ──lend──> leased ──giveBack──> idle
 *                        │                  │               │
 *                        └──openingFailed───┴───retire──────┴─> retired (its session is closed)
 *
 * Each slot belongs to a generation, the login that it was opened with. `renewLogin` and `close` begin another
 * generation; slots of an earlier one are retired, at once if idle, else when they come back.
 */
export class AccountSlots {
  /** The most recently used last, so that the others stay idle long enough to be closed. */
  private readonly idleSlots: Slot[] = [];
  private leasedCount = 0;
  /** Times at which the openings under way began. */
  private readonly openingSlots = new Map<Slot, number>();
  private useNumber = 0;
  private generation = 0;
  private openings = new AbortController();
  private wantsSession = false;
  private isDraining = false;
  private isShutDown = false;
  private forgettingCount = 0;
  private forgetting: Promise<void> = Promise.resolve();
  private readonly backoff = new FailureBackoff(LONGEST_BACKOFF_MS);
  private readonly refillBackoff = new FailureBackoff(LONGEST_BACKOFF_MS);
  private lastOpenError: UpstreamError | undefined;

  /** @param onRetired called with the session of each retired slot, to close it */
  constructor(
    readonly account: Account,
    private readonly onRetired: (session: UpstreamSession) => void,
  ) {}

  startOpening(now: number): Slot {
    const slot = new Slot(this.generation);
    this.openingSlots.set(slot, now);
    return slot;
  }

  /** The slot is idle now, or retired if its login has ended meanwhile. */
  opened(slot: Slot, session: NamedSession, now: number): void {
    this.openingSlots.delete(slot);
    slot.fill(session);
    if (this.isCurrent(slot)) {
      this.wantsSession = false;
      this.clearBackoff();
    }
    this.restOrRetire(slot, now);
  }

  openingFailed(slot: Slot): void {
    this.openingSlots.delete(slot);
    this.retire(slot);
  }

  /**
   * Leases the most recently used idle slot, one that is ready if there is one; undefined if none is idle.
   * @param useNumber grows with every lease of the pool
   */
  lend(useNumber: number): Slot | undefined {
    // -1, where none is ready, is the last one.
    const ready = this.idleSlots.findLastIndex(({ opened }) => opened?.session.isReady);
    const [slot] = this.idleSlots.splice(ready, 1);
    if (slot) {
      slot.lease();
      this.leasedCount += 1;
      this.refillBackoff.clear();
      this.useNumber = useNumber;
    }
    return slot;
  }

  /** The slot is idle now, or retired if it cannot serve another request. */
  giveBack(slot: Slot, now: number): void {
    this.leasedCount -= 1;
    this.restOrRetire(slot, now);
  }

  /** Retires the slot that has been idle longest. */
  retireLongestIdle(): void {
    this.retireIdleAt(0);
  }

  /**
   * Retires idle slots whose sessions have become unusable.
   * @param chance as for `backOff`; drawn only where it is needed, since this is asked of every account for each request
   */
  retireBroken(now: number, chance: () => number): void {
    for (let index = this.idleSlots.length - 1; index >= 0; index -= 1) {
      const slot = this.idleSlots[index];
      if (slot && !slot.opened?.session.isUsable) {
        if (!slot.wasLeased) {
          this.refillBackoff.failed(now, chance());
        }
        this.retireIdleAt(index);
      }
    }
  }

  /** Sets the order among accounts that were used before the pool began. */
  usedBefore(useNumber: number): void {
    this.useNumber = useNumber;
  }

  /** Requests one session although nobody waits for one, to prove the login or to share the load. */
  wantSession(): void {
    this.wantsSession = true;
  }

  /** The account may be used (again), and proves its login. */
  reopen(): void {
    this.wantsSession = true;
    this.isDraining = false;
    this.refillBackoff.clear();
    this.clearBackoff();
  }

  /** The login has expired: idle sessions are useless, and one with a new login is wanted. */
  renewLogin(): void {
    this.generation += 1;
    this.wantsSession = true;
    this.retireAllIdle();
  }

  /** The account must not be used any more: openings are aborted; once its last slot is gone, it is to be forgotten. */
  close(): void {
    this.generation += 1;
    this.openings.abort();
    this.openings = new AbortController();
    this.wantsSession = false;
    this.isDraining = true;
    this.retireAllIdle();
  }

  /** Permits openings at once, after a back-off. */
  clearBackoff(): void {
    this.backoff.clear();
    this.lastOpenError = undefined;
  }

  /** @param chance from 0 to 1, for the jitter */
  backOff(error: UpstreamError, now: number, chance: number): void {
    this.lastOpenError = error;
    this.backoff.failed(now, chance);
  }

  /** Whether the account was closed and its last slot is gone; true only once. */
  takeDrained(): boolean {
    if (!this.isDraining || this.size > 0) {
      return false;
    }
    this.isDraining = false;
    return true;
  }

  /** Lets openings wait until the driver has forgotten the account. */
  waitForForgetting(forgetting: Promise<void>): void {
    this.forgettingCount += 1;
    this.forgetting = forgetting.finally(() => (this.forgettingCount -= 1));
  }

  /** Slots, and what the driver has yet to forget: what another gateway must not meet. */
  get occupied(): number {
    return this.size + this.forgettingCount;
  }

  /** The process ends: no slot becomes idle any more. */
  shutDown(): void {
    this.isShutDown = true;
    this.openings.abort();
    this.retireAllIdle();
  }

  get idle(): number {
    return this.idleSlots.length;
  }

  get leases(): number {
    return this.leasedCount;
  }

  get opening(): number {
    return this.openingSlots.size;
  }

  /** Openings that are not late: another session may be opened in place of one that is. */
  openingInTime(now: number): number {
    let count = 0;
    // Asked of every account for each request, so without arrays.
    for (const since of this.openingSlots.values()) {
      count += now < since + LATE_OPENING_MS ? 1 : 0;
    }
    return count;
  }

  /** When the next opening will be late; undefined if none will. */
  lateAt(now: number): number | undefined {
    for (const since of this.openingSlots.values()) {
      if (now < since + LATE_OPENING_MS) {
        return since + LATE_OPENING_MS;
      }
    }
    return undefined;
  }

  /** Slots that are not retired. */
  get size(): number {
    return this.idle + this.leases + this.opening;
  }

  /** Number of the last lease, over all accounts; the smallest was used the longest ago. */
  get lastUse(): number {
    return this.useNumber;
  }

  get isWanted(): boolean {
    return this.wantsSession;
  }

  /** Whether the next opening is a login, as far as the pool can tell. */
  get isCold(): boolean {
    return this.idle === 0 && this.leases === 0;
  }

  /** Whether its first session is being opened, which may log it in. */
  get isLoggingIn(): boolean {
    return this.isCold && this.opening > 0;
  }

  /** Time since which the longest idle slot has been idle, in monotonic milliseconds; undefined without one. */
  get longestIdleSince(): number | undefined {
    return this.idleSlots[0]?.idleSince;
  }

  /** Aborted when the openings under way have become useless. */
  get openingSignal(): AbortSignal {
    return this.openings.signal;
  }

  /** Settles when the driver has forgotten the earlier login. */
  get forgotten(): Promise<void> {
    return this.forgetting;
  }

  /** Error of the last opening; undefined if it succeeded. */
  get openError(): UpstreamError | undefined {
    return this.lastOpenError;
  }

  /** Whether the slot belongs to the present login; a failure of an earlier one says nothing about the account. */
  isCurrent(slot: Slot): boolean {
    return slot.generation === this.generation;
  }

  /** When another session may be opened after a failure; undefined if it may now. */
  reopensAt(now: number): number | undefined {
    return this.backoff.endAfter(now);
  }

  /**
   * When a session that no request waits for may be opened; undefined if it may now. Each may make the one before it
   * useless, as where a login ends the other pages' logins, so that their replacement would never end.
   */
  refillsAt(now: number): number | undefined {
    return this.refillBackoff.endAfter(now);
  }

  private restOrRetire(slot: Slot, now: number): void {
    const mayServe = this.account.isUsable && this.isCurrent(slot) && !this.isShutDown;
    if (mayServe && slot.opened?.session.isUsable) {
      slot.rest(now);
      this.idleSlots.push(slot);
    } else {
      this.retire(slot);
    }
  }

  private retireAllIdle(): void {
    while (this.idleSlots.length > 0) {
      this.retireIdleAt(0);
    }
  }

  private retireIdleAt(index: number): void {
    this.idleSlots.splice(index, 1).forEach((slot) => this.retire(slot));
  }

  private retire(slot: Slot): void {
    slot.retire();
    if (slot.opened) {
      this.onRetired(slot.opened.session);
    }
  }
}
