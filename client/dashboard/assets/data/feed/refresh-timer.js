/** Debounce of a refresh. With a text filter every new record needs one: only the gateway can search texts. */
const DEBOUNCE_MS = 1000;

/** Refreshes for all records that come within a while. */
export class RefreshTimer {
  #refresh;
  #isReading;
  #isSet = false;

  /**
   * @param {() => void} refresh
   * @param {() => boolean} isReading whether a page is being read: over a slow connection that takes longer than the
   *   debounce, and refreshing would give it up each time
   */
  constructor(refresh, isReading) {
    this.#refresh = refresh;
    this.#isReading = isReading;
  }

  set() {
    if (!this.#isSet) {
      this.#isSet = true;
      setTimeout(() => this.#ring(), DEBOUNCE_MS);
    }
  }

  #ring() {
    this.#isSet = false;
    if (this.#isReading()) {
      this.set();
    } else {
      this.#refresh();
    }
  }
}
