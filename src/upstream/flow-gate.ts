/** Tells a driver whether the caller keeps up. Open at first. */
export interface FlowGate {
  readonly isOpen: boolean;
  /** Resolves at once while open, else when the gate opens or is released for good. */
  whenOpen(): Promise<void>;
}

/** The reading end closes and opens the gate; `open()` at the end frees everyone who still waits. */
export class FlowValve implements FlowGate {
  private waiting: PromiseWithResolvers<void> | undefined;

  get isOpen(): boolean {
    return this.waiting === undefined;
  }

  whenOpen(): Promise<void> {
    return this.waiting?.promise ?? Promise.resolve();
  }

  close(): void {
    this.waiting ??= Promise.withResolvers<void>();
  }

  open(): void {
    this.waiting?.resolve();
    this.waiting = undefined;
  }
}
