import { filterQuery } from '../../data/filters.js';
import { duration } from '../../data/format.js';
import { serverNow } from '../../data/server-clock.js';
import { addressOf, statusBadge, timingBar, timingText } from '../exchange/exchange-bars.js';
import { requestSpan, timingBars } from '../exchange/waterfall.js';
import { h, syncList } from '../kit/dom.js';

/**
 * The exchanges of a request on the scale of its trace, each leading to what was sent and what came back. Links stay in their
 * places while the bars of a running request grow, so that they can be pressed.
 */
export class UpstreamNetwork {
  #rows = h('ul', { class: 'exchanges' });
  #all = h('a', null, 'Open in the network inspector');
  #shown;
  element = h('section', { hidden: true }, h('h3', null, 'Upstream network'), this.#rows, this.#all);

  /** @param {{ entry: any, network: readonly any[] }} request */
  show({ entry, network }) {
    const now = serverNow();
    const bars = timingBars(network, { now, waterfall: requestSpan(entry, now) });
    const items = network.map((record) => ({ record, entry, bar: bars.get(record.id) }));
    const shown = JSON.stringify(items);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.element.hidden = network.length === 0;
      this.#all.href = inspector(entry);
      syncList(this.#rows, items, { key: ({ record }) => record.id, create: newRow, update: fillRow });
    }
  }
}

function newRow(item) {
  const { record, entry } = item;
  const link = h('a', { class: 'address mono', href: inspector(entry, record.id) }, [
    h('strong', null, record.method),
    ' ',
    addressOf(record.url),
  ]);
  const row = h('li', null, h('span'), link, h('span'), h('span', { class: 'quiet' }));
  fillRow(row, item);
  return row;
}

function fillRow(row, { record, entry, bar }) {
  const [status, , timing, text] = row.children;
  const startMs = Math.max(0, record.startedAt - entry.startedAt);
  status.replaceWith(statusBadge(record));
  timing.replaceWith(timingBar(bar));
  text.textContent = `at ${duration(startMs)}, ${timingText(record)}`;
}

/** Address of the exchanges of a request, of which one may be open. */
function inspector({ id }, exchange) {
  return `/dashboard/network${filterQuery({ request: id, exchange })}`;
}
