import { type SharedOutage } from './shared-outage.js';

/** Whether something fails that is tried again and again; told of once when that begins, and once when it is over. */
export class Outage {
  private isOn = false;
  private isToldByAll = false;

  /**
   * @param shared tells of failures that other parts meet as well, in place of this one
   * @param triesOn whether what failed is tried again soon, and not only when it is next wanted
   */
  constructor(
    private readonly tell: { begun(error: unknown): void; over(): void },
    private readonly shared?: SharedOutage,
    private readonly triesOn = true,
  ) {}

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
