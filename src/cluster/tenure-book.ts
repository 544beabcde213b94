import { getOrInsert } from '../common/memory/get-or-insert.js';
import { type ClockReading } from '../common/time/clock.js';
import { type TenureClock } from './tenure-clock.js';
import { type TenureChange } from './tenures.js';

/** One share of an account, and the term under which it is held. */
export interface Grant {
  readonly account: string;
  readonly share: number;
  readonly term: number;
  /** False for an account that is disabled, and for a share that is not in use: it is given up. Only in answers. */
  readonly isWanted?: boolean;
  /** True for a share for which another node asks. Only in answers. */
  readonly isAskedFor?: boolean;
}

/** A share that this node holds. */
export interface HeldShare extends Grant {
  /** Fencing token for the upstream, `<share>/<term>`. */
  readonly fence: string;
  /** In monotonic milliseconds. */
  endsAt: number;
  /** On its way to another node: nothing new begins with it, and it is given up once nothing runs. */
  isLeaving: boolean;
}

/** The shares that this node holds of one account, and the newest term of any, also of those that are gone. */
export interface AccountShares {
  readonly held: HeldShare[];
  newestTerm: number;
  /** By fence, how many prompts are on their way to the upstream. */
  readonly underWay: Map<string, number>;
}

/**
 * Shares of one node, as far as it knows: the answers of beats go in, usable shares come out. It decides with the
 * node's own clock and waits for nothing.
 *
 * A share that was given up is given up in every beat until one does not list it any more, since a beat that nobody waited
 * for may be carried out later. It is never taken back under that term or a lower one, also from a standby that was promoted
 * before it had heard of the hand-over: it is given up there as well.
 */
export class TenureBook {
  private readonly accounts = new Map<string, AccountShares>();
  /** By share, as below: what the next beat gives up. */
  private readonly released = new Map<string, Grant>();
  /** The highest term under which it was given up. */
  private readonly lastGivenUp = new Map<string, number>();
  /** By account, what was announced last. */
  private readonly announced = new Map<string, { readonly shares: number; readonly term: number }>();

  constructor(private readonly clock: TenureClock) {}

  /** The shares of an account; always the same object. */
  of(account: string): AccountShares {
    return getOrInsert(this.accounts, account, () => ({ held: [], newestTerm: 0, underWay: new Map() }));
  }

  /** Whether something new may begin with a share. */
  isUsable({ isLeaving, endsAt }: HeldShare, now: ClockReading): boolean {
    return !isLeaving && this.clock.isValid(endsAt, now);
  }

  /** Whether a share is this node's, be it on its way to another one. */
  isHeld({ endsAt }: HeldShare, now: ClockReading): boolean {
    return this.clock.isValid(endsAt, now);
  }

  /** Shares that may be used, of all accounts. */
  usableCount(now: ClockReading): number {
    return this.usable(now).length;
  }

  /** Shares for the next beat to give up. */
  get toRelease(): readonly Grant[] {
    return [...this.released.values()];
  }

  /** When the first share ends, in monotonic milliseconds; undefined without one. */
  get firstEnd(): number | undefined {
    const ends = this.all().map(({ endsAt }) => endsAt);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /** Whether an answer holds what is not known yet. */
  hasNew(grants: readonly Grant[]): boolean {
    return grants.some((grant) => !this.isGivenUp(grant) && this.find(grant)?.term !== grant.term);
  }

  /**
   * Takes a beat's answer.
   * @param grants all that the node holds, says the engine
   * @param sent when the beat was sent
   */
  beatAnswered(grants: readonly Grant[], sent: ClockReading): void {
    this.clock.beatAnswered(sent);
    const listed = new Map(grants.map((grant) => [keyOf(grant), grant]));
    this.released.clear();
    for (const [key, grant] of listed) {
      if (this.isGivenUp(grant)) {
        this.released.set(key, grant);
      }
    }
    const endsAt = this.clock.endOf(sent);
    const renewed = grants
      .filter((grant) => !this.isGivenUp(grant))
      .map((grant) => {
        const known = this.find(grant);
        const wasLeaving = known?.term === grant.term && known.isLeaving;
        const isLeaving = wasLeaving || grant.isWanted === false;
        return { ...grant, fence: `${grant.share}/${grant.term}`, endsAt, isLeaving };
      });
    this.replaceAll(renewed);
  }

  /** Forgets what has ended by the clock. A later answer of the engine may list it again. */
  forgetEnded(now: ClockReading): void {
    this.replaceAll(this.all().filter((share) => this.isHeld(share, now)));
  }

  /**
   * Whether a share that is on its way to another node can be given up now; `isFree` as in `releaseLeaving`. Asked for each
   * request.
   */
  mayRelease(isFree: (account: string) => boolean): boolean {
    for (const { held } of this.accounts.values()) {
      for (const share of held) {
        if (this.canGo(share, isFree)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The shares that may be used, of all accounts. */
  usable(now: ClockReading): HeldShare[] {
    return this.all().filter((share) => this.isUsable(share, now));
  }

  /**
   * Lets shares go for which others ask: those at rest, and others while the node has more than it may keep.
   * @param least shares that the node keeps unless they are at rest
   * @param isAtRest whether no request needs a share; asked anew after each that goes
   * @param stays whether an account stays in any case
   * @returns number of shares that go
   */
  giveWay(
    least: number,
    isAtRest: (share: HeldShare) => boolean,
    now: ClockReading,
    stays: (account: string) => boolean,
  ): number {
    const asked = this.usable(now).filter(
      ({ isAskedFor, account }) => isAskedFor === true && !stays(account),
    );
    asked.sort((a, b) => Number(isAtRest(b)) - Number(isAtRest(a)) || b.share - a.share);
    let kept = this.usableCount(now);
    const before = kept;
    for (const share of asked) {
      if (kept > least || isAtRest(share)) {
        share.isLeaving = true;
        kept -= 1;
      }
    }
    return before - kept;
  }

  /** Lets everything go that is at rest. */
  leaveResting(isAtRest: (share: HeldShare) => boolean, now: ClockReading): void {
    for (const share of this.usable(now)) {
      share.isLeaving = isAtRest(share);
    }
  }

  /** The node's part of a limit that counts for an account as a whole, once one of its shares is gone. */
  partWithout(
    { account, share }: Pick<HeldShare, 'account' | 'share'>,
    limit: number,
    shares: number,
    now: ClockReading,
  ): number {
    const others = this.of(account).held.filter((held) => held.share !== share && this.isUsable(held, now));
    return others.reduce((sum, held) => sum + partOfShare(limit, held.share, shares), 0);
  }

  /** @param isFree whether nothing runs any more beyond what the node keeps of the account */
  releaseLeaving(isFree: (account: string) => boolean): void {
    const leaving = this.all().filter((share) => this.canGo(share, isFree));
    for (const { account, share, term } of leaving) {
      const key = keyOf({ account, share });
      this.released.set(key, { account, share, term });
      this.lastGivenUp.set(key, term);
    }
    this.replaceAll(this.all().filter((share) => !leaving.includes(share)));
  }

  /**
   * Changes for the accounts since the last call.
   * @param isExclusive whether accounts have one share: another term then means that another node may have used it
   */
  changes(isExclusive: boolean, now: ClockReading): TenureChange[] {
    const current = new Map<string, { shares: number; term: number }>();
    for (const share of this.all().filter((one) => this.isUsable(one, now))) {
      const known = current.get(share.account);
      current.set(share.account, { shares: (known?.shares ?? 0) + 1, term: share.term });
    }
    const ids = new Set([...this.announced.keys(), ...current.keys()]);
    const changes = [...ids].flatMap((accountId) => {
      const before = this.announced.get(accountId);
      const after = current.get(accountId);
      const kinds = kindsOf(before, after, isExclusive && before?.term !== after?.term);
      return kinds.map((kind) => ({ accountId, kind }));
    });
    this.announced.clear();
    current.forEach((value, account) => this.announced.set(account, value));
    return changes;
  }

  /** A prompt on its way would come under a lower term than the next holder's. */
  private canGo(share: HeldShare, isFree: (account: string) => boolean): boolean {
    const { isLeaving, account, fence } = share;
    return isLeaving && isFree(account) && !this.of(account).underWay.has(fence);
  }

  private replaceAll(shares: readonly HeldShare[]): void {
    for (const account of this.accounts.values()) {
      account.held.length = 0;
    }
    for (const share of shares) {
      const account = this.of(share.account);
      account.held.push(share);
      account.newestTerm = Math.max(account.newestTerm, share.term);
    }
  }

  private isGivenUp(grant: Grant): boolean {
    return grant.term <= (this.lastGivenUp.get(keyOf(grant)) ?? 0);
  }

  private find({ account, share }: Grant): HeldShare | undefined {
    return this.accounts.get(account)?.held.find((held) => held.share === share);
  }

  private all(): HeldShare[] {
    return [...this.accounts.values()].flatMap(({ held }) => held);
  }
}

function kindsOf(
  before: { readonly shares: number } | undefined,
  after: { readonly shares: number } | undefined,
  isAnother: boolean,
): TenureChange['kind'][] {
  if (!before || !after) {
    return before ? ['ended'] : after ? ['granted'] : [];
  }
  if (isAnother) {
    return ['ended', 'granted'];
  }
  return before.shares === after.shares ? [] : ['resized'];
}

function keyOf({ account, share }: Pick<Grant, 'account' | 'share'>): string {
  return `${account} ${share}`;
}

/** Shares of an account that are in use, those with the lowest numbers: each is worth a session at least. */
export function sharesInUse(limit: number, shares: number): number {
  return Math.min(limit, shares);
}

/** Part of a limit that belongs to one share; the parts of all shares add up to the limit. */
export function partOfShare(limit: number, share: number, shares: number): number {
  const inUse = sharesInUse(limit, shares);
  return share < inUse ? Math.floor(((share + 1) * limit) / inUse) - Math.floor((share * limit) / inUse) : 0;
}
