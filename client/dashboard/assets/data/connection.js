/** Bounds of the back-off between probes of an unreachable gateway. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Reachability of the gateway. Dispatches `down`, `up`, `answered` for every response, and `changed` for those to changes;
 * probes with exponential back-off while it is down.
 */
class Connection extends EventTarget {
  isDown = false;
  /** Time of the next probe, by `performance.now()`. */
  retryAt = 0;
  /** Sends a cheap request and tells whether it was answered; set by `api.js`. */
  probe = async () => false;
  #waitMs = FIRST_WAIT_MS;
  #timer = 0;

  /** Call for every request without a response. */
  lost() {
    if (!this.isDown) {
      this.isDown = true;
      this.#waitMs = FIRST_WAIT_MS;
      this.#schedule();
      this.dispatchEvent(new Event('down'));
    }
  }

  /** Call for every response. */
  works() {
    this.dispatchEvent(new Event('answered'));
    if (this.isDown) {
      this.isDown = false;
      clearTimeout(this.#timer);
      this.dispatchEvent(new Event('up'));
    }
  }

  /** Probes now. */
  async retry() {
    clearTimeout(this.#timer);
    if (this.isDown && !(await this.probe())) {
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
      this.#schedule();
      this.dispatchEvent(new Event('down'));
    }
  }

  #schedule() {
    this.retryAt = performance.now() + this.#waitMs;
    this.#timer = setTimeout(() => void this.retry(), this.#waitMs);
  }
}

export const connection = new Connection();
window.addEventListener('online', () => void connection.retry());
