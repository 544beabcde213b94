import { type SharedOutage } from './shared-outage.js';

/** Failure state of something that is retried: reported once when it begins to fail, and once when it works again. */
export class Outage {
  private readonly shared: SharedOutage | undefined;
  private readonly triesOn: boolean;
  private isOn = false;
  private isToldByAll = false;

  constructor(
    private readonly tell: { begun(error: unknown): void; over(): void },
    options: {
      /** Reports failures that several parts share, instead of this one. */
      readonly shared?: SharedOutage | undefined;
      /** Whether the failed work is retried soon rather than at its next use; true by default. */
      readonly triesOn?: boolean;
    } = {},
  ) {
    this.shared = options.shared;
    this.triesOn = options.triesOn ?? true;
  }

  /** Whether the latest try failed. */
  get isOngoing(): boolean {
    return this.isOn;
  }

  failed(error: unknown): void {
    if (!this.isOn) {
      this.isOn = true;
      this.isToldByAll = this.shared?.began(this, error, this.triesOn) ?? false;
      if (!this.isToldByAll) {
        this.tell.begun(error);
      }
    }
  }

  succeeded(): void {
    if (this.isOn) {
      this.isOn = false;
      if (this.isToldByAll) {
        this.shared?.ended(this);
      } else {
        this.tell.over();
      }
    }
  }
}
