/**
 * Reports once that a site has sent nothing of an answer for its limit. A sign of life costs no timer: the one that runs
 * is extended when it fires. Measures the page's traffic; the silence of a driver as a whole is watched by the dispatch.
 */
export class SiteSilenceWatchdog {
  private touchedAt: number;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param limitMs limit in ms, read at each check
   * @param isPaused whether silence does not count now, since the caller reads too slowly
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

  /** Notes a sign of life. */
  touch(): void {
    this.touchedAt = this.now();
  }

  /** Starts the limit anew, after it has become shorter. */
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
