import { getJson } from '../../data/api.js';
import { COUNTED, filterQuery } from '../../data/filters.js';
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

  /** Reads what `show` takes. @param {AbortSignal} signal */
  read(signal) {
    const more = { limit: ROWS, content: 0 };
    return Promise.all(
      this.#lists.map(({ filters }) => getJson(`/log/json${filterQuery(filters, more)}`, { signal })),
    );
  }

  /** @param {readonly { entries: readonly any[] }[]} pages one for each list */
  show(pages) {
    pages.forEach(({ entries }, at) => {
      const { rows, box, none } = this.#lists[at];
      syncList(rows, entries, { key: ({ id }) => id, create: entryLink, update: updateEntryLink });
      if (entries.length === 0) {
        fill(box, emptyState(none, 'Requests stay in the log for some days.'));
      } else if (rows.parentElement !== box) {
        fill(box, entryHeader(), rows);
      }
    });
  }
}
