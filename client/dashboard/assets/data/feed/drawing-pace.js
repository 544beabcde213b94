/** Least time between two drawings of what comes live. */
const LEAST_MS = 250;

/** Bounds how often a list is drawn: under load, records come faster than hundreds of rows can be drawn. */
export class DrawingPace {
  #draw;
  #isDue = false;
  #drawnLiveAt = -Infinity;
  #timer;

  /** @param {() => void} draw */
  constructor(draw) {
    this.#draw = draw;
  }

  /** Draws once for all changes of one task. */
  soon() {
    if (!this.#isDue) {
      this.#isDue = true;
      queueMicrotask(() => {
        this.#isDue = false;
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#draw();
      });
    }
  }

  /** The same for changes that come live: at once for one, and together for many. */
  live() {
    if (this.#timer === undefined) {
      const waitMs = this.#drawnLiveAt + LEAST_MS - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#drawLive(), waitMs);
      } else {
        this.#drawLive();
      }
    }
  }

  /** Without a look at the clock: timers ring up to a millisecond early. */
  #drawLive() {
    this.#drawnLiveAt = performance.now();
    this.soon();
  }
}
