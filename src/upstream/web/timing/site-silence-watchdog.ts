/** Calls back once when nothing has touched it for its limit. A touch costs no timer. */
export class SiteSilenceWatchdog {
  private touchedAt: number;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param limitMs read whenever time is checked
   * @param isPaused whether silence does not count now
   * @param now monotonic ms
   */
  constructor(
    private readonly limitMs: () => number,
    private readonly isPaused: () => boolean,
    private readonly now: () => number,
    private readonly onSilence: () => void,
  ) {
    this.touchedAt = now();
    this.schedule();
  }

  touch(): void {
    this.touchedAt = this.now();
  }

  /** For when the limit has become shorter. */
  restart(): void {
    this.stop();
    this.touch();
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.isPaused()) {
      this.touch();
    }
    const left = this.touchedAt + this.limitMs() - this.now();
    if (left <= 0) {
      this.onSilence();
      return;
    }
    this.timer = setTimeout(() => this.schedule(), left);
  }
}
