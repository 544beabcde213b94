/** Whoever uses the thing, as a name for it in a set. */
type Part = object;

/** An outage of something that several parts use: the first that fails tells of it, and the last that works again of the end. */
export class SharedOutage {
  private readonly failing = new Set<Part>();
  private decisive: Part | undefined;

  /** @param isShared whether an error is one of the thing itself, so that all parts fail alike */
  constructor(
    private readonly isShared: (error: unknown) => boolean,
    private readonly tell: { begun(error: unknown): void; over(): void },
  ) {}

  /**
   * Whether the decisive part fails: until it succeeds, nobody needs to wait for the thing. Any other part may go on
   * failing while the thing works, e.g. by a statement that always takes too long.
   */
  get isOngoing(): boolean {
    return this.decisive !== undefined && this.failing.has(this.decisive);
  }

  /** Names the part that tries often and asks for little, so that it fails only where all others do. */
  decideBy(part: Part): void {
    this.decisive = part;
  }

  /**
   * A part begins to fail. Returns whether it need not tell of that itself.
   * @param triesOn whether it tries again by itself; otherwise its silence says nothing of the end
   */
  began(part: Part, error: unknown, triesOn: boolean): boolean {
    if (!this.isShared(error)) {
      return false;
    }
    if (!triesOn) {
      return this.failing.size > 0;
    }
    this.failing.add(part);
    if (this.failing.size === 1) {
      this.tell.begun(error);
    }
    return true;
  }

  /** A part for which it told works again. */
  ended(part: Part): void {
    if (this.failing.delete(part) && this.failing.size === 0) {
      this.tell.over();
    }
  }
}
