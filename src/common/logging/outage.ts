import { type SharedOutage } from './shared-outage.js';

/** Failure state of something that is retried: reported once when it begins to fail, and once when it works again. */
export class Outage {
  private readonly shared: SharedOutage | undefined;
  private readonly triesOn: boolean;
  private readonly steadyMs: number;
  private isOn = false;
  private isToldByAll = false;
  /** Ends it after successes alone. */
  private ending: NodeJS.Timeout | undefined;

  constructor(
    private readonly tell: { begun(error: unknown): void; over(): void },
    options: {
      /** Reports failures that several parts share, instead of this one. */
      readonly shared?: SharedOutage | undefined;
      /** Whether the failed work is retried soon rather than at its next use; true by default. */
      readonly triesOn?: boolean;
      /**
       * Milliseconds without a failure, from a success on, after which it is over: where some tries may succeed all the while.
       * None by default.
       */
      readonly steadyMs?: number;
    } = {},
  ) {
    this.shared = options.shared;
    this.triesOn = options.triesOn ?? true;
    this.steadyMs = options.steadyMs ?? 0;
  }

  /** Whether it is not over. */
  get isOngoing(): boolean {
    return this.isOn;
  }

  failed(error: unknown): void {
    clearTimeout(this.ending);
    this.ending = undefined;
    if (!this.isOn) {
      this.isOn = true;
      this.isToldByAll = this.shared?.began(this, error, this.triesOn) ?? false;
      if (!this.isToldByAll) {
        this.tell.begun(error);
      }
    }
  }

  succeeded(): void {
    if (this.isOn && this.steadyMs === 0) {
      this.end();
    } else if (this.isOn) {
      this.ending ??= setTimeout(() => this.end(), this.steadyMs).unref();
    }
  }

  private end(): void {
    this.isOn = false;
    this.ending = undefined;
    if (this.isToldByAll) {
      this.shared?.ended(this);
    } else {
      this.tell.over();
    }
  }
}
