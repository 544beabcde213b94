import { fetchRecord, fetchRequest } from '../data/fetch-record.js';
import { filterQuery, readFilters } from '../data/filters.js';
import { bytes, duration, NONE, plural } from '../data/format.js';
import { serverNow } from '../data/server-clock.js';
import { addressOf, moveTimingBar, statusBadge, timingBar } from '../widgets/exchange/exchange-bars.js';
import { exchangeDetail } from '../widgets/exchange/exchange-detail.js';
import { exchangeHeader } from '../widgets/exchange/exchange-header.js';
import { isUnderWay, requestSpan, timingBars } from '../widgets/exchange/waterfall.js';
import { FeedView } from '../widgets/feed/feed-view.js';
import { offerKnown, offerNodes, offerTimes, setChoices, unfoldIfUsed } from '../widgets/feed/filter-form.js';
import { byId, fill, h, syncList } from '../widgets/kit/dom.js';
import { released } from '../widgets/kit/released.js';
import { requestLink } from '../widgets/kit/request-link.js';
import { timeListed, timeSince } from '../widgets/kit/ticker.js';
import { emptyState, errorState, loadingState, showStale, startShell } from '../widgets/shell/shell.js';

/** Refresh interval of a running request's exchanges. */
const RUNNING_MS = 1000;

const STATUSES = [
  ['failed or 5xx', 'upstream_error'],
  ['cancelled', 'cancelled'],
  ['running', 'pending'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['429', '429'],
  ['5xx', '5xx'],
];

const form = byId('filters');
const list = byId('list');
const rows = h('ol', { class: 'exchange-list' });
const view = new FeedView({
  kind: 'network',
  show: (records) => showRows(records),
  rows,
  toQuery: ({ show, ...others }) => ({ ...others, ...(show !== 'all' && { served: '1' }) }),
  none: ['No exchanges yet', 'Exchanges with the upstream appear here.'],
  noneFits: ['No exchange fits these filters', 'Change them, or reset them to see everything.'],
});
/** Id of the request whose exchanges are shown; undefined for all exchanges. */
const { request: requestId, exchange: linkedId } = readFilters(location.search, ['request', 'exchange']);
let shownId;
let shownRecord;

/** @param {any} [entry] request that the exchanges served, if all of one are shown */
function showRows(records, entry) {
  byId('summary').textContent = [`${plural(records.length, 'exchange')} shown`, view.span]
    .filter(Boolean)
    .join(', ');
  const now = serverNow();
  const bars = timingBars(records, { now, waterfall: entry && requestSpan(entry, now) });
  // A row is redrawn only if its record has changed.
  const items = records.map((record) => ({ record, bar: bars.get(record.id) }));
  const known = new Map(drawn.map((item) => [item.record.id, item]));
  drawn = items.map((item) => {
    const old = known.get(item.record.id);
    return old && old.record === item.record && isSameBar(old.bar, item.bar) ? old : item;
  });
  // A new longest exchange moves the bars of all.
  const update = (row, item) =>
    known.get(item.record.id).record === item.record
      ? moveTimingBar(row.querySelector('.timing'), item.bar)
      : fillRow(row, item);
  syncList(rows, drawn, { key: ({ record }) => record.id, create: createRow, update });
  if (rows.parentElement !== list) {
    fill(list, exchangeHeader(entry !== undefined), rows);
  }
  const shown = records.find(({ id }) => id === shownId);
  if (shown && shown !== shownRecord) {
    void fillPane(shown);
  }
}

let drawn = [];

function isSameBar(a, b) {
  return a.start === b.start && a.waited === b.waited && a.received === b.received;
}

function createRow(item) {
  const button = h('button', {
    type: 'button',
    class: 'exchange',
    'data-row': true,
    'data-entry': item.record.id,
  });
  button.addEventListener('click', () => void showExchange(button.dataset.entry));
  const { requestId: served } = item.record;
  const row = h('li', { class: 'exchange-line' }, button, served && requestIdLink(served));
  fillRow(row, item);
  return row;
}

function requestIdLink(id) {
  return h('a', { class: 'request', href: `/dashboard/logs${filterQuery({ id })}`, title: id }, id);
}

function fillRow(row, { record, bar }) {
  const button = row.firstElementChild;
  button.setAttribute('aria-expanded', String(record.id === shownId));
  fill(
    button,
    timeListed(record.startedAt),
    h('span', { class: 'status' }, statusBadge(record)),
    h(
      'span',
      { class: 'address', title: record.url },
      h('strong', null, record.method),
      ' ',
      addressOf(record.url),
    ),
    h('span', { class: 'account' }, record.account ?? NONE),
    h('span', { class: 'size' }, bytes(record.responseBytes)),
    timingBar(bar),
    h('span', { class: 'took' }, isUnderWay(record) ? timeSince(record.startedAt) : duration(record.totalMs)),
  );
}

/** Opens the detail pane of an exchange. */
async function showExchange(id) {
  shownId = id;
  nameShown();
  for (const button of rows.querySelectorAll('.exchange')) {
    button.setAttribute('aria-expanded', String(button.dataset.entry === id));
  }
  const record = drawn.find((item) => item.record.id === id)?.record;
  if (record) {
    const pane = byId('detail');
    pane.hidden = false;
    const filled = fillPane(record);
    pane.focus({ preventScroll: true });
    pane.scrollIntoView({ block: 'nearest' });
    await filled;
  }
}

/** Fills the pane with the known facts at once, with headers and bodies when they are loaded. */
async function fillPane(record) {
  const pane = byId('detail');
  const show = (shown, bodies) => {
    const hasFocus = pane.contains(document.activeElement);
    fill(pane, exchangeDetail(shown, { close: closePane, bodies }));
    if (hasFocus) {
      pane.focus({ preventScroll: true });
    }
  };
  if (shownRecord?.id !== record.id) {
    show(record, 'loading');
  }
  shownRecord = record;
  const whole = await wholeRecord(record);
  if (shownRecord === record && shownId === record.id) {
    show(whole ?? record, whole ? 'known' : 'failed');
  }
}

/** Fetches a record with its bodies, which lists leave out; undefined if that fails. */
async function wholeRecord(record) {
  if (requestId !== undefined) {
    return record;
  }
  try {
    if (record.requestId !== undefined) {
      const { network } = await fetchRequest(record.requestId);
      return network.find(({ id }) => id === record.id);
    }
    return await fetchRecord('network', record);
  } catch {
    return undefined;
  }
}

/** Names the open exchange in the address, so that it can be shared. In the list of all, it would soon be out of sight. */
function nameShown() {
  if (requestId !== undefined) {
    history.replaceState(null, '', filterQuery({ request: requestId, exchange: shownId }));
  }
}

function closePane() {
  const row = rows.querySelector(`[data-entry="${CSS.escape(shownId ?? '')}"]`);
  shownId = undefined;
  shownRecord = undefined;
  nameShown();
  byId('detail').hidden = true;
  row?.setAttribute('aria-expanded', 'false');
  row?.focus();
  view.letGo();
}

function showRequest() {
  form.hidden = true;
  byId('pause').hidden = true;
  fill(
    byId('pinned'),
    h(
      'div',
      { class: 'notice' },
      h('span', null, 'Only the exchanges of the request ', h('strong', { class: 'mono' }, requestId)),
      requestLink({ id: requestId }, 'Open the request'),
      h('a', { href: '/dashboard/network' }, 'Show all exchanges'),
    ),
  );
  fill(list, loadingState());
  void loadRequest();
}

/** Fetches the exchanges of the request, again and again while it runs. */
async function loadRequest() {
  let isRunning = true;
  try {
    const { entry, network } = await fetchRequest(requestId);
    await released();
    if (network.length > 0) {
      const isFirst = rows.parentElement !== list;
      showRows(network.map(unlessKnown), entry);
      if (isFirst && linkedId !== undefined) {
        void showExchange(linkedId);
      }
    } else {
      fill(
        list,
        emptyState('No exchanges', 'Nothing was sent upstream for this request, or it is no longer kept.'),
      );
    }
    isRunning = entry.outcome === 'pending' || network.some(isUnderWay);
    showStale();
  } catch (error) {
    if (rows.parentElement !== list) {
      const state =
        error.status === 404
          ? emptyState(
              'This request is not in the log',
              'It is no longer kept, and neither are its exchanges.',
            )
          : errorState(error, () => void loadRequest());
      fill(list, state);
      return;
    }
    showStale(error);
  }
  if (isRunning) {
    setTimeout(() => void loadRequest(), RUNNING_MS);
  }
}

/** The record as it was drawn if it is still the same, so that it is not drawn again. */
function unlessKnown(record) {
  const known = drawn.find((item) => item.record.id === record.id)?.record;
  return JSON.stringify(known) === JSON.stringify(record) ? known : record;
}

function showAll() {
  setChoices(form.elements.status, 'All statuses', STATUSES);
  setChoices(form.elements.account, 'All accounts', []);
  setChoices(form.elements.node, 'All nodes', []);
  setChoices(form.elements.sort, 'Newest first', [['Slowest first', 'slowest']]);
  offerTimes(form.elements);
  unfoldIfUsed(byId('more-filters'));
  setChoices(form.elements.show, 'Answers only', [['Page loads and logins, too', 'all']]);
  void offerKnown({ account: form.elements.account });
  void offerNodes(form.elements.node);
  view.start();
}

startShell();
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && shownId !== undefined && !document.querySelector('dialog[open]')) {
    closePane();
  }
});
if (requestId === undefined) {
  showAll();
} else {
  showRequest();
}
