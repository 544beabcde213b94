import { type ClockReading } from '../common/time/clock.js';
import { type AccountShares, partOfShare, type TenureBook } from './tenure-book.js';
import { type Tenure } from './tenures.js';

/** The tenure of one account as the book and the clocks say at the moment of the question. */
export class HeldTenure implements Tenure {
  private readonly own: AccountShares;
  /** Place of the share whose fence is next. */
  private nextShare = 0;

  constructor(
    account: string,
    private readonly shares: number,
    private readonly book: TenureBook,
    private readonly reading: () => ClockReading,
    /** Whether accounts of others may come. */
    private readonly isHopeful: () => boolean,
    /** Whether this node is the first of all. */
    private readonly isFirst: () => boolean,
  ) {
    this.own = book.of(account);
  }

  // Asked some ten times for each request, so without a function or an array for each answer; so are the fences and `partOf`.
  get isHeld(): boolean {
    const { held } = this.own;
    if (held.length === 0) {
      return false;
    }
    const now = this.reading();
    for (const share of held) {
      if (this.book.isUsable(share, now)) {
        return true;
      }
    }
    return false;
  }

  get mayCome(): boolean {
    return !this.isHeld && this.isHopeful();
  }

  /** The first share has one holder, whoever holds the others. */
  get mayProbe(): boolean {
    const now = this.reading();
    return this.own.held.some((held) => held.share === 0 && this.book.isUsable(held, now));
  }

  get reportsUnheld(): boolean {
    return this.isFirst();
  }

  /** After the end, too: until somebody else has the account, what this node still has to say is true. */
  get writeTerm(): number {
    return this.shares > 1 ? 0 : this.own.newestTerm;
  }

  nextFence(): string | undefined {
    const { held, underWay } = this.own;
    const now = this.reading();
    for (let tries = 0; tries < held.length; tries++) {
      const share = held[this.nextShare++ % held.length];
      if (share && this.book.isUsable(share, now)) {
        const { fence } = share;
        underWay.set(fence, (underWay.get(fence) ?? 0) + 1);
        return fence;
      }
    }
    return undefined;
  }

  honours(fence: string | undefined): boolean {
    for (const share of this.own.held) {
      if (share.fence === fence) {
        return this.book.isHeld(share, this.reading());
      }
    }
    return false;
  }

  arrived(fence: string | undefined): void {
    if (fence === undefined) {
      return;
    }
    const { underWay } = this.own;
    const left = (underWay.get(fence) ?? 0) - 1;
    if (left > 0) {
      underWay.set(fence, left);
    } else {
      underWay.delete(fence);
    }
  }

  partOf(limit: number): number {
    const now = this.reading();
    let part = 0;
    for (const held of this.own.held) {
      part += this.book.isUsable(held, now) ? partOfShare(limit, held.share, this.shares) : 0;
    }
    return part;
  }
}
