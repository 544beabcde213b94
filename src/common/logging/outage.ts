import { type SharedOutage } from './shared-outage.js';

/** Whether something fails that is tried again and again; told of once when that begins, and once when it is over. */
export class Outage {
  private readonly shared: SharedOutage | undefined;
  private readonly triesOn: boolean;
  private isOn = false;
  private isToldByAll = false;

  constructor(
    private readonly tell: { begun(error: unknown): void; over(): void },
    options: {
      /** Tells of failures that other parts meet as well, in place of this one. */
      readonly shared?: SharedOutage | undefined;
      /** Whether what failed is tried again soon, and not only when it is next wanted; true by default. */
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
