/** Waits between two questions whether the gateway is back. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Knows whether the gateway answers. Sends the events `down` and `up`, and `answered` with every answer; while it is
 * down it asks on its own, with growing waits.
 */
class Connection extends EventTarget {
  isDown = false;
  /** When it asks again, by `performance.now()`. */
  retryAt = 0;
  /** Asks for anything light; set by what makes the requests. */
  probe = async () => false;
  #waitMs = FIRST_WAIT_MS;
  #timer = 0;

  lost() {
    if (!this.isDown) {
      this.isDown = true;
      this.#waitMs = FIRST_WAIT_MS;
      this.#schedule();
      this.dispatchEvent(new Event('down'));
    }
  }

  works() {
    this.dispatchEvent(new Event('answered'));
    if (this.isDown) {
      this.isDown = false;
      clearTimeout(this.#timer);
      this.dispatchEvent(new Event('up'));
    }
  }

  /** Asks at once. */
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
