/** Whether something fails that is tried again and again; told of once when that begins, and once when it is over. */
export class Outage {
  private isOn = false;

  constructor(private readonly tell: { begun(error: unknown): void; over(): void }) {}

  /** Whether the latest try failed. */
  get isOngoing(): boolean {
    return this.isOn;
  }

  failed(error: unknown): void {
    if (!this.isOn) {
      this.isOn = true;
      this.tell.begun(error);
    }
  }

  succeeded(): void {
    if (this.isOn) {
      this.isOn = false;
      this.tell.over();
    }
  }
}
