import { count, percent } from '../../data/format.js';
import { reasonHint, reasonText } from '../../data/reasons.js';
import { h } from '../kit/dom.js';
import { requestLink } from '../kit/request-link.js';
import { table } from '../kit/table.js';

/**
 * Failed requests by reason, with what the operator can do.
 *
 * @param {readonly { name: string, requests: number }[]} rows
 * @param {Record<string, string>} filters of the requests of that time
 */
export function failureTable(rows, filters) {
  if (rows.length === 0) {
    return h('p', { class: 'quiet' }, 'No request of this period failed.');
  }
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  return table({
    label: 'Failed requests by reason',
    head: ['Reason', 'Requests', 'Share', 'What helps'],
    numbers: ['Requests', 'Share'],
    rows: rows.map(({ name: reason, requests }) =>
      h(
        'tr',
        null,
        h('td', null, requestLink({ ...filters, reason }, reasonText(reason))),
        h('td', { class: 'number' }, count(requests)),
        h('td', { class: 'number' }, percent(requests / all)),
        h('td', { class: 'quiet' }, reasonHint(reason)),
      ),
    ),
  });
}
