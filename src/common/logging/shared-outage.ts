/** A user of the resource, by its identity. */
type Part = object;

/** An outage of a resource that several parts use: the first part that fails reports it, the last that recovers its end. */
export class SharedOutage {
  private readonly failing = new Set<Part>();
  private decisive: Part | undefined;

  /** @param isShared whether an error is one of the resource itself, so that all parts fail alike */
  constructor(
    private readonly isShared: (error: unknown) => boolean,
    private readonly tell: { begun(error: unknown): void; over(): void },
  ) {}

  /**
   * Whether the decisive part fails: until it succeeds, waiting for the resource is useless. Other parts may go on failing
   * while the resource works, e.g. by a statement that always takes too long.
   */
  get isOngoing(): boolean {
    return this.decisive !== undefined && this.failing.has(this.decisive);
  }

  /** Names the part that tries often and asks for little, so that it fails only where all others do. */
  decideBy(part: Part): void {
    this.decisive = part;
  }

  /**
   * A part begins to fail. Returns whether that is reported already, so that the part need not.
   * @param triesOn whether it retries by itself; otherwise its silence does not mean recovery
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

  /** A part whose failure counted works again. */
  ended(part: Part): void {
    if (this.failing.delete(part) && this.failing.size === 0) {
      this.tell.over();
    }
  }
}
