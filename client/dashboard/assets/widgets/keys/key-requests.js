import { fetchLatest } from '../../data/fetch-record.js';
import { COUNTED } from '../../data/filters.js';
import { entryLink, updateEntryLink } from '../entry/entry-link.js';
import { entryHeader } from '../entry/entry-row.js';
import { fill, h, syncList } from '../kit/dom.js';
import { requestLink } from '../kit/request-link.js';
import { emptyState, loadingState } from '../shell/shell.js';

const ROWS = 5;
const LISTS = [
  { title: 'Last requests', filters: {}, none: 'No requests are in the log' },
  { title: 'Last failures', filters: { status: 'failed' }, none: 'None has failed' },
  { title: 'Refused by a limit', filters: { reason: 'key_limited' }, none: 'None was refused' },
];
/** Where the search has not come to the end of the log: what the link beside it leads to searches further back. */
const NOT_AMONG_LATEST = ['None among the latest requests', 'Older ones were not searched.'];

/** The latest requests of one key: all, those that failed, and those that its limits refused. */
export class KeyRequests {
  #lists;

  /** @param {HTMLElement} place @param {string} key name of the key */
  constructor(place, key) {
    this.#lists = LISTS.map(({ title, filters, none }, at) => {
      const ofKey = { ...COUNTED, ...filters, key };
      const list = { filters: ofKey, none, rows: h('ol', { class: 'entries' }), box: h('div') };
      const id = `requests-title-${at}`;
      const head = h('h2', { id }, title);
      const all = requestLink(ofKey, 'All of them');
      place.append(
        h(
          'section',
          { class: 'panel flush', 'aria-labelledby': id },
          h('div', { class: 'section-head list-head' }, head, all),
          fill(list.box, loadingState()),
        ),
      );
      return list;
    });
  }

  /**
   * Reads what `show` takes, one list after the other: the gateway answers few searches at once.
   *
   * @param {AbortSignal} signal
   */
  async read(signal) {
    const found = [];
    for (const { filters } of this.#lists) {
      found.push(await fetchLatest(filters, { count: ROWS, signal }));
    }
    return found;
  }

  /** @param {readonly { entries: readonly any[], isWhole: boolean }[]} found one for each list */
  show(found) {
    found.forEach(({ entries, isWhole }, at) => {
      const { rows, box, none } = this.#lists[at];
      syncList(rows, entries, { key: ({ id }) => id, create: entryLink, update: updateEntryLink });
      if (entries.length === 0) {
        const words = isWhole ? [none, 'Requests stay in the log for some days.'] : NOT_AMONG_LATEST;
        fill(box, emptyState(...words));
      } else if (rows.parentElement !== box) {
        fill(box, entryHeader(), rows);
      }
    });
  }
}
