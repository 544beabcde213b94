import { getJson } from '../../data/api.js';
import { count } from '../../data/format.js';
import { sum } from '../../data/sum.js';
import { h } from '../kit/dom.js';
import { pathShape } from '../kit/icons.js';

/** Usage is added up over all keys and models, so not with every refresh of the page. */
const FRESH_MS = 60_000;

/** The days of all accounts as they were read last. */
export class AccountDays {
  #byName = new Map();
  #none;
  #readAt = -Infinity;

  /**
   * Reads them, unless they are fresh; a failure leaves those that are known.
   *
   * @returns {Promise<boolean>} whether they were read
   */
  async refresh() {
    if (performance.now() - this.#readAt < FRESH_MS) {
      return false;
    }
    this.#readAt = performance.now();
    try {
      const { days, accounts } = await getJson('/dashboard/api/accounts/days');
      const zeros = days.map(() => 0);
      this.#none = { served: zeros, failed: zeros };
      this.#byName = new Map(accounts.map((one) => [one.account, one]));
      return true;
    } catch {
      return false;
    }
  }

  /** Those of an account; undefined until they are known. @param {string} name */
  of(name) {
    return this.#byName.get(name) ?? this.#none;
  }
}

/**
 * The requests of an account by day as bars, those that were not served on top, and in words. Takes its place also before it
 * is known, so that nothing below moves.
 *
 * @param {{ served: readonly number[], failed: readonly number[] }} [days] the present one last
 */
export function daysFigure({ served, failed } = { served: [], failed: [] }) {
  const most = Math.max(1, ...served.map((number, at) => number + failed[at]));
  return h(
    'div',
    { class: 'account-days' },
    pathShape(`0 0 ${served.length || 1} ${most}`, {
      served: bars(served, () => most),
      failed: bars(failed, (at) => most - served[at]),
    }),
    h('p', { class: 'quiet' }, served.length > 0 ? wordsOf(served, failed) : '\u00a0'),
  );
}

/** @param {(at: number) => number} baseOf the lower end of a bar */
function bars(heights, baseOf) {
  return heights
    .map((height, at) => (height > 0 ? `M${at + 0.1} ${baseOf(at)}h.8v${-height}h-.8z` : ''))
    .join('');
}

function wordsOf(served, failed) {
  if (sum(served) + sum(failed) === 0) {
    // A request counts for the account that it had last.
    return `No request ended here in ${served.length} days`;
  }
  const tell = (ok, bad) => `${count(ok)} served${bad > 0 ? `, ${count(bad)} not` : ''}`;
  return [
    h('span', null, `${served.length} days: ${tell(sum(served), sum(failed))}`),
    ' ',
    h('span', null, `today (UTC): ${tell(served.at(-1), failed.at(-1))}`),
  ];
}
