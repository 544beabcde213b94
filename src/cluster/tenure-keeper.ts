import { type ClockReading } from '../common/time/clock.js';
import { type Asking } from './ask-statement.js';
import { type Beat, type BeatAnswer } from './beat-statement.js';
import { FairShares, type Wish } from './fair-shares.js';
import { type HeldShare, sharesInUse, TenureBook } from './tenure-book.js';
import { TenureClock } from './tenure-clock.js';
import { type TenureClient } from './tenures.js';

/** Facts from the accounts' side for a decision. */
export type TenureNeeds = Pick<
  TenureClient,
  'sessionLimit' | 'sessionsNeeded' | 'isLoggingIn' | 'isWithinPart' | 'canServe' | 'demand' | 'unfit'
>;

const NO_NEEDS: TenureNeeds = {
  sessionLimit: 0,
  sessionsNeeded: () => 0,
  isLoggingIn: () => false,
  isWithinPart: () => true,
  canServe: () => false,
  demand: { shares: 0, probes: [] },
  unfit: [],
};

const NOBODY: BeatAnswer = {
  grants: [],
  nodes: 1,
  isFirst: false,
  shares: 0,
  free: 0,
  largest: 0,
  spare: 0,
  nextEndMs: undefined,
  accountsVersion: 0,
  epoch: '',
  versions: {},
};

/**
 * All that one node decides about its shares: what its next beat says, what it asks of others, and what it gives up. Pure:
 * answers and times go in, and nothing here waits.
 */
export class TenureKeeper {
  readonly book: TenureBook;
  private readonly fairShares: FairShares;
  private last: BeatAnswer | undefined;
  private isDraining = false;
  /** Into which each account is divided. */
  shares = 1;
  needs = NO_NEEDS;
  /** Ids of accounts that are asked for by name, and not given up. */
  readonly wanted = new Set<string>();

  /** @param nodeLeaseMs `NODE_LEASE_MS` */
  constructor(nodeLeaseMs: number) {
    this.book = new TenureBook(new TenureClock(nodeLeaseMs));
    this.fairShares = new FairShares(nodeLeaseMs);
  }

  /** The last answer; `NOBODY` before the first one. */
  get known(): BeatAnswer {
    return this.last ?? NOBODY;
  }

  /** Whether the database ever answered. */
  get hasBegun(): boolean {
    return this.last !== undefined;
  }

  /** From now on shares are only given up, as they come to rest. */
  drain(): void {
    this.isDraining = true;
  }

  /** The part of the next beat that changes. */
  nextBeat(
    now: ClockReading,
  ): Pick<Beat, 'isDraining' | 'release' | 'spare' | 'claim' | 'inUse' | 'wanted' | 'unfit'> {
    return {
      isDraining: this.isDraining,
      release: this.book.toRelease,
      spare: this.book.usable(now).filter((share) => this.isSpare(share, now)),
      claim: this.hasBegun && !this.isDraining ? this.wish(now).claim : 0,
      inUse: this.inUse,
      wanted: this.isDraining ? [] : this.missing(now),
      unfit: this.needs.unfit,
    };
  }

  /** @param sent when the beat was sent */
  beatAnswered(answer: BeatAnswer, sent: ClockReading, now: ClockReading): void {
    this.book.beatAnswered(answer.grants, sent);
    this.fairShares.noted(answer, now.monotonic);
    this.last = answer;
  }

  beatFailed(now: ClockReading): void {
    this.fairShares.failed(now.monotonic);
  }

  /** Whether another beat would take what nobody holds: only an answer says how many shares are the node's. */
  isShort(now: ClockReading): boolean {
    return !this.isDraining && this.known.free > 0 && this.wish(now).claim > 0;
  }

  /** Whether what requests here wait for, or have finished with, is worth a beat at once. */
  isUrgent(reading: () => ClockReading): boolean {
    if (this.book.mayRelease(this.isWithinPart)) {
      return true;
    }
    if (this.isDraining) {
      const now = reading();
      return this.book.usable(now).some((share) => this.isAtRest(share, now));
    }
    const { shares, probes } = this.needs.demand;
    return shares > 0 && (this.known.spare > 0 || probes.length > 0);
  }

  /** Request for shares of other nodes; undefined if there is nothing to be had. */
  asking(now: ClockReading): Omit<Asking, 'node' | 'provider' | 'nodeLeaseMs'> | undefined {
    const wanted = this.missing(now);
    const ask = this.wish(now).ask + wanted.length;
    if (ask === 0 || this.isDraining) {
      return undefined;
    }
    const { unfit, demand } = this.needs;
    const held = this.book.usable(now);
    return {
      held: held.length,
      hasNone: held.every(({ account }) => unfit.includes(account)),
      least: this.fairShares.least,
      ask,
      isHungry: demand.shares > 0,
      probes: demand.probes,
      unfit,
      wanted,
      inUse: this.inUse,
    };
  }

  /** Has the next beat release what has been let go, and is not in use any more. */
  release(): void {
    this.book.releaseLeaving(this.isWithinPart);
  }

  /** Lets go what others ask for, or all that is at rest in a drain. */
  giveWay(now: ClockReading): void {
    const isAtRest = (share: HeldShare) => this.isAtRest(share, now);
    const stays = (account: string) => this.wanted.has(account) || this.needs.isLoggingIn(account);
    if (this.isDraining) {
      this.book.leaveResting(isAtRest, now);
    } else if (this.book.giveWay(this.fairShares.least, isAtRest, now, stays) > 0) {
      this.fairShares.lent(this.book.usableCount(now));
    }
  }

  private get inUse(): number {
    return sharesInUse(this.needs.sessionLimit, this.shares);
  }

  /** Accounts that are wanted and not held yet. */
  private missing(now: ClockReading): string[] {
    const held = new Set(this.book.usable(now).map(({ account }) => account));
    return [...this.wanted].filter((account) => !held.has(account));
  }

  private readonly isWithinPart = (account: string): boolean => this.needs.isWithinPart(account);

  private wish(now: ClockReading): Wish {
    return this.fairShares.wish(this.book.usableCount(now), this.needs.demand.shares, this.known);
  }

  private isSpare({ account, share }: HeldShare, now: ClockReading): boolean {
    return (
      this.needs.canServe(account) && !this.wanted.has(account) && this.isAtRest({ account, share }, now)
    );
  }

  private isAtRest(share: Pick<HeldShare, 'account' | 'share'>, now: ClockReading): boolean {
    const left = this.book.partWithout(share, this.needs.sessionLimit, this.shares, now);
    return !this.needs.isLoggingIn(share.account) && this.needs.sessionsNeeded(share.account) <= left;
  }
}
