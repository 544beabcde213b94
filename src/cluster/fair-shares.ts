import { type BeatAnswer } from './beat-statement.js';

/** Free shares that a node claims, and shares that it asks of others. */
export interface Wish {
  /** Shares that nobody holds which it takes, if there are so many. */
  readonly claim: number;
  /** Shares of others for which it asks; 0 where nobody has any to give. */
  readonly ask: number;
}

/**
 * Decides how many shares one of several nodes holds: its fair number, more while its requests wait and others have shares
 * at rest, and less once it has lent of its own. No share moves without being asked for; one that was asked for and is not
 * needed any more goes to whoever has room for it.
 *
 * If the shares cannot be divided evenly, some nodes have one more than the others; which ones does not matter.
 */
export class FairShares {
  private shares = 0;
  private nodes = 1;
  /**
   * Set by lending: the node asks for no more than so many until nodes come or go, or its own requests wait; then for as
   * many more as these need. All that are its own would cost the borrower accounts at work, which serve nobody while they empty.
   */
  private content = Infinity;
  private steadyAt = -Infinity;

  /** @param nodeLeaseMs time for which a silent node counts as alive */
  constructor(private readonly nodeLeaseMs: number) {}

  /** Fewest shares of any node, where all are content. */
  get least(): number {
    return Math.floor(this.shares / this.nodes);
  }

  /**
   * A beat was not answered. The others may have been cut off as well, and are counted as alive until they had the time to
   * come back: otherwise the first one back would take everything.
   * @param now monotonic, in milliseconds, as below
   */
  failed(now: number): void {
    this.steadyAt = now + this.nodeLeaseMs;
  }

  /** Takes up who there is. */
  noted({ shares, nodes }: Pick<BeatAnswer, 'shares' | 'nodes'>, now: number): void {
    const counted = Math.max(1, now < this.steadyAt ? Math.max(this.nodes, nodes) : nodes);
    if (shares !== this.shares || counted !== this.nodes) {
      this.shares = shares;
      this.nodes = counted;
      this.content = Infinity;
    }
  }

  /**
   * @param held shares that the node has left after it gave some at rest to another one; if none, it is not content where
   *   there is one for each
   */
  lent(held: number): void {
    this.content = Math.min(this.content, Math.max(held, Math.min(1, this.least)));
  }

  /**
   * @param held shares that the node may use
   * @param demand further shares for which its requests wait
   * @param others state of the other nodes in the last answer
   */
  wish(held: number, demand: number, others: Pick<BeatAnswer, 'largest' | 'spare'>): Wish {
    if (demand > 0) {
      this.content = Math.max(this.content, held + demand);
    }
    const free = Math.max(0, this.most - held);
    const missing = Math.max(0, Math.min(this.most, this.content) - held);
    const lacking = Math.max(0, Math.min(this.least, this.content) - held);
    const isShort = lacking > 0 && others.largest > this.least;
    const owed = isShort ? lacking : others.largest > this.most ? missing : 0;
    return { claim: Math.max(free, demand), ask: Math.max(owed, Math.min(demand, others.spare)) };
  }

  private get most(): number {
    return Math.ceil(this.shares / this.nodes);
  }
}
