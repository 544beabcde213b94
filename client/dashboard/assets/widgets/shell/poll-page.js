import { connection } from '../../data/connection.js';
import { fill } from '../kit/dom.js';
import { released } from '../kit/released.js';
import { errorState, showStale } from './shell.js';

/**
 * Makes the function that reads what a page shows. It is called again periodically while the page is seen, when it is seen
 * again, and when the gateway is back. A call before the last one's answer takes its place.
 *
 * @template Found
 * @param {object} page
 * @param {number} page.everyMs
 * @param {(signal: AbortSignal) => Promise<Found>} page.read
 * @param {(found: Found) => void} page.show
 * @param {HTMLElement} page.place for the failure of a first read
 * @param {() => boolean} page.isShown whether the page has something to show, which a failure leaves
 * @returns {() => Promise<void>}
 */
export function pollPage({ everyMs, read, show, place, isShown }) {
  let timer;
  let reading = new AbortController();
  async function refresh() {
    clearTimeout(timer);
    reading.abort();
    const { signal } = (reading = new AbortController());
    try {
      const found = await read(signal);
      await released();
      signal.throwIfAborted();
      show(found);
      showStale();
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (isShown()) {
        showStale(error);
      } else {
        fill(
          place,
          errorState(error, () => void refresh()),
        );
      }
      if (error.status === 401) {
        return;
      }
    }
    timer = setTimeout(refreshIfSeen, everyMs);
  }
  const refreshIfSeen = () => (document.hidden ? undefined : void refresh());
  connection.addEventListener('up', () => void refresh());
  document.addEventListener('visibilitychange', refreshIfSeen);
  return refresh;
}
