import { getJson } from '../data/api.js';
import { filterQuery, readFilters, toLogQuery } from '../data/filters.js';
import { duration, plural } from '../data/format.js';
import { REASON_CHOICES } from '../data/reasons.js';
import { saveList } from '../data/save-list.js';
import { serverNow } from '../data/server-clock.js';
import { spanText, TIME_SPANS } from '../data/time-spans.js';
import { EntryDetail } from '../widgets/entry/entry-detail.js';
import { entryHeader, fillEntryRow } from '../widgets/entry/entry-row.js';
import { TurnFolds } from '../widgets/entry/turn-folds.js';
import { FeedView } from '../widgets/feed/feed-view.js';
import { offerKnown, offerNodes, setChoices } from '../widgets/feed/filter-form.js';
import { byId, fill, h, syncList } from '../widgets/kit/dom.js';
import { OUTCOMES } from '../widgets/kit/labels.js';
import { emptyState, errorState, loadingState, showStale, startShell } from '../widgets/shell/shell.js';

/** Refresh interval of a running request's detail. */
const RUNNING_MS = 1000;

/** Those behind `More filters`. */
const MORE_FILTERS = [
  'reason',
  'operation',
  'min_ms',
  'key',
  'node',
  'client',
  'conversation',
  'from',
  'until',
  'sort',
];
const FILTERS = ['q', 'status', 'model', 'account', 'time', ...MORE_FILTERS];
/** Choices of the least duration in milliseconds. */
const DURATIONS = [1000, 5000, 10_000, 30_000, 60_000, 300_000];

const form = byId('filters');
const list = byId('list');
const rows = h('ol', { class: 'entries' });
const folds = new TurnFolds(rows, (...counts) => (byId('summary').textContent = summaryOf(...counts)));
const view = new FeedView({
  kind: 'request',
  show,
  isReading: () => rows.querySelector('details[open]') !== null,
  none: ['No requests yet', 'Send one to /v1/chat/completions and it appears here at once.'],
  noneFits: ['No request fits these filters', 'Change them, or reset them to see everything.'],
  onEmpty: () => (byId('summary').textContent = summaryOf(0)),
});
const { feed } = view;

/** A search in texts takes many pages, each of which may have few lines. */
async function saveCsv() {
  // Only in the order of time are there further pages.
  const query = { ...toLogQuery(view.filters, serverNow()), sort: undefined, limit: 500, format: 'csv' };
  const note = byId('csv-note');
  byId('csv').disabled = true;
  note.textContent = 'Reading the log …';
  try {
    const isWhole = await saveList((before) => `/log/json${filterQuery({ ...query, before })}`, 'log.csv');
    note.textContent = isWhole ? '' : 'The file has the latest lines only. Narrow the filters for the rest.';
  } catch (error) {
    note.textContent = '';
    showStale(error);
  } finally {
    byId('csv').disabled = false;
  }
}

/** Number of rows, and the span of time in plain words, since a span such as "yesterday" depends on the zone. */
function summaryOf(shown, folded = 0) {
  const { from, until } = toLogQuery(view.filters, serverNow());
  const span = spanText({ from: from && Number(from), until: until && Number(until) });
  const parts = [
    `${plural(shown, 'request')} shown`,
    folded > 0 && `${plural(folded, 'earlier turn')} folded`,
    span,
  ];
  return parts.filter(Boolean).join(', ');
}

function show(records) {
  // In another order, turns do not stand together; of one conversation alone, all are wanted.
  const { sort, conversation } = view.filters;
  const arranged = folds.arrange(records, sort === undefined && conversation === undefined);
  syncList(rows, arranged, { key: ({ id }) => id, create: createEntry, update: updateEntry });
  folds.apply();
  if (rows.parentElement !== list) {
    fill(list, entryHeader(), rows);
  }
}

function createEntry(entry) {
  const details = h(
    'details',
    { class: 'entry', 'data-entry': entry.id },
    h('summary', { 'data-row': true }, h('div', { class: 'entry-row' })),
  );
  fillRow(details, entry);
  details.addEventListener('toggle', () => (details.open ? void showDetail(details) : hideDetail(details)));
  return h('li', null, details);
}

function fillRow(details, entry) {
  details.dataset.outcome = entry.outcome;
  fillEntryRow(details.querySelector('.entry-row'), entry);
}

function updateEntry(item, entry) {
  const details = item.firstElementChild;
  fillRow(details, entry);
  // The detail of a running request follows it by itself.
  if (details.open && entry.outcome !== 'pending') {
    void showDetail(details);
  }
}

async function showDetail(details) {
  const id = details.dataset.entry;
  const shown = details.querySelector('.entry-place');
  const place = shown ?? details.appendChild(h('div', { class: 'entry-place' }, loadingState(4)));
  try {
    const request = await getJson(`/dashboard/api/requests/${encodeURIComponent(id)}`);
    fillRow(details, request.entry);
    detailIn(place).show(request);
    if (request.entry.outcome === 'pending') {
      showAgain(details, place);
    }
  } catch (error) {
    if (place.querySelector('.entry-detail')) {
      showAgain(details, place);
    } else {
      fill(
        place,
        errorState(error, () => void showDetail(details)),
      );
    }
  }
}

const shownDetails = new WeakMap();

function detailIn(place) {
  const detail = shownDetails.get(place) ?? new EntryDetail();
  if (detail.element.parentElement !== place) {
    shownDetails.set(place, detail);
    fill(place, detail.element);
  }
  return detail;
}

/** Schedules a refresh, for a running request or after a failed fetch. */
function showAgain(details, place) {
  clearTimeout(nextShows.get(place));
  nextShows.set(
    place,
    setTimeout(() => place.isConnected && void showDetail(details), RUNNING_MS),
  );
}

const nextShows = new WeakMap();

function hideDetail(details) {
  details.querySelector('.entry-place')?.remove();
  if (feed.held === 0) {
    feed.showNew();
  }
}

/** Shows the request of a link (`?id=`) on its own, unfolded. */
async function showPinned() {
  const { id } = readFilters(location.search, ['id']);
  if (id === undefined) {
    return;
  }
  const place = byId('pinned');
  const unpin = h('button', { type: 'button', class: 'small' }, 'Show all requests');
  unpin.addEventListener('click', () => {
    const others = readFilters(location.search, FILTERS);
    history.replaceState(null, '', location.pathname + filterQuery(others));
    place.replaceChildren();
    document.body.classList.remove('is-pinned');
  });
  document.body.classList.add('is-pinned');
  fill(place, loadingState());
  try {
    const request = await getJson(`/dashboard/api/requests/${encodeURIComponent(id)}`);
    const item = createEntry(request.entry);
    fill(
      place,
      h('div', { class: 'pinned-head' }, h('h2', null, 'One request'), unpin),
      h('div', { class: 'panel flush' }, entryHeader(), h('ol', { class: 'entries' }, item)),
    );
    item.firstElementChild.open = true;
    followRow(item.firstElementChild);
  } catch (error) {
    const text = error.status === 404 ? 'This request is not in the log any more' : 'It could not be loaded';
    fill(place, h('div', { class: 'panel' }, emptyState(text, error.message), unpin));
  }
}

/** Refreshes the row of a running request while it is folded: unfolded, it is refreshed with its detail. */
function followRow(details) {
  if (details.dataset.outcome !== 'pending') {
    return;
  }
  setTimeout(async () => {
    if (!details.isConnected) {
      return;
    }
    if (!details.open) {
      const path = `/dashboard/api/requests/${encodeURIComponent(details.dataset.entry)}`;
      const request = await getJson(path).catch(() => undefined);
      if (request) {
        fillRow(details, request.entry);
      }
    }
    followRow(details);
  }, RUNNING_MS);
}

startShell();
setChoices(form.elements.status, 'All outcomes', [
  ['any failure', 'failed'],
  ...Object.entries(OUTCOMES).map(([value, text]) => [text, value]),
  ...['2xx', '4xx', '429', '5xx'].map((status) => [`HTTP ${status}`, status]),
]);
setChoices(
  form.elements.time,
  'Any time',
  Object.entries(TIME_SPANS).map(([value, text]) => [text, value]),
);
setChoices(form.elements.reason, 'Any reason', REASON_CHOICES);
setChoices(form.elements.operation, 'Anything', [['Completions', 'completion']]);
setChoices(
  form.elements.min_ms,
  'Any duration',
  DURATIONS.map((ms) => [duration(ms), String(ms)]),
);
setChoices(form.elements.sort, 'Newest first', [['Slowest first', 'slowest']]);
byId('more-filters').open = Object.keys(readFilters(location.search, MORE_FILTERS)).length > 0;
setChoices(form.elements.model, 'All models', []);
setChoices(form.elements.account, 'All accounts', []);
setChoices(form.elements.key, 'All keys', []);
setChoices(form.elements.node, 'All nodes', []);
byId('csv').addEventListener('click', () => void saveCsv());
void showPinned();
const { model, account, key } = form.elements;
void offerKnown({ model, account, key });
void offerNodes(form.elements.node);
view.start();
