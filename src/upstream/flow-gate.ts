/** Backpressure from the caller to a driver: open while the caller keeps up, and at first. */
export interface FlowGate {
  readonly isOpen: boolean;
  /** Resolves at once while open, else when the gate opens or is released for good. */
  whenOpen(): Promise<void>;
}

/** The reader's end of a gate, which it closes and opens; a last `open()` releases every waiting driver. */
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
