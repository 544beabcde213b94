import { filterQuery } from '../../data/filters.js';
import { h } from '../kit/dom.js';
import { fillEntryRow } from './entry-row.js';

/** A row of a request that leads to it in the log, as an item of a list. */
export function entryLink(entry) {
  const row = h('a', {
    class: 'entry-row',
    'data-row': true,
    'data-entry': entry.id,
    'data-outcome': entry.outcome,
    href: `/dashboard/logs${filterQuery({ id: entry.id })}`,
  });
  return h('li', null, fillEntryRow(row, entry));
}

export function updateEntryLink(item, entry) {
  const row = item.firstElementChild;
  row.dataset.outcome = entry.outcome;
  fillEntryRow(row, entry);
}
