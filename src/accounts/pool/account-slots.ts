import { type UpstreamError } from '../../upstream/upstream.errors.js';
import { type UpstreamSession } from '../../upstream/upstream-driver.js';
import { type Account } from '../registry/account.js';
import { type AccountCandidate, type Obstacle } from './account-selection.js';

/** First and longest wait before an account whose session could not be opened is tried again. */
const REOPEN_MIN_MS = 1000;
const REOPEN_MAX_MS = 60_000;

export interface PooledSession {
  /** For logs: unique in the process. */
  readonly id: string;
  readonly session: UpstreamSession;
  /** The login it belongs to: one of an earlier login is closed instead of used again. */
  readonly epoch: number;
  /** Monotonic milliseconds. */
  idleSince: number;
}

/** What the pool holds of one account: its sessions, how many are out, and how opening them goes. */
export class AccountSlots {
  /** The most recently used last, so that the others stay idle long enough to be closed. */
  readonly idle: PooledSession[] = [];
  leases = 0;
  opening = 0;
  /** Number of the last lease; the smallest was used the longest ago. */
  lastUse = 0;
  /** Grows when the account must not go on with the login it had. */
  epoch = 0;
  /** Ends the openings under way with the login that they are for. */
  private login = new AbortController();
  /** A session should be opened although nobody waits for one. */
  isWanted = false;
  /** The driver is to be told to forget the account once nothing of it is left here. */
  mustForget = false;
  /** Settles when the driver has forgotten the earlier login. */
  forgetting: Promise<void> = Promise.resolve();
  /** Why the last try to open a session failed. */
  openError: UpstreamError | undefined;
  private failures = 0;
  private reopenAt = 0;

  constructor(readonly account: Account) {}

  /** Sessions that are there or on their way. */
  get size(): number {
    return this.idle.length + this.leases + this.opening;
  }

  /** Whether the next opening is a login, as far as the pool can tell. */
  get isCold(): boolean {
    return this.idle.length === 0 && this.leases === 0;
  }

  /** Aborted when what is being opened now has become useless. */
  get retired(): AbortSignal {
    return this.login.signal;
  }

  /** The account must not go on with the login it had; what is being opened for it is given up. */
  retire(): void {
    this.epoch += 1;
    this.login.abort();
    this.login = new AbortController();
  }

  obstacle(now: number): Obstacle | undefined {
    if (!this.account.isEnabled) {
      return 'disabled';
    }
    return this.account.loginFailure ? 'login_required' : this.account.cooldown.obstacle(now);
  }

  /** The account as the choice for one request sees it. */
  candidate(now: number, isAvoided: boolean): AccountCandidate & { readonly slots: AccountSlots } {
    const unfit = isAvoided ? 'tried_before' : this.idle.length === 0 ? 'no_free_session' : undefined;
    return {
      slots: this,
      name: this.account.name,
      obstacle: this.obstacle(now) ?? unfit,
      leases: this.leases,
      lastUse: this.lastUse,
    };
  }

  /** Whether a request may hope for a session of this account. */
  isHopeful(now: number): boolean {
    return (
      this.account.isUsable &&
      !this.account.cooldown.isCooling(now) &&
      (this.size > 0 || this.reopensAt(now) === undefined)
    );
  }

  /** When opening may be tried again after a failure; undefined if it may now. */
  reopensAt(now: number): number | undefined {
    return now < this.reopenAt ? this.reopenAt : undefined;
  }

  /** @param chance from 0 to 1, for the jitter */
  openFailed(error: UpstreamError, now: number, chance: number): void {
    const waitMs = Math.min(REOPEN_MAX_MS, REOPEN_MIN_MS * 2 ** this.failures);
    this.failures += 1;
    this.openError = error;
    this.reopenAt = now + waitMs * (1 + 0.1 * chance);
  }

  openSucceeded(): void {
    this.failures = 0;
    this.reopenAt = 0;
    this.openError = undefined;
  }
}
