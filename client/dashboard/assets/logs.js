import { getJson } from './api.js';
import { byId, fill, h, syncList } from './dom.js';
import { entryDetail } from './entry-detail.js';
import { entryHeader, fillEntryRow } from './entry-row.js';
import { bindFilters, offerKnown, setChoices } from './filter-form.js';
import { filterQuery, readFilters } from './filters.js';
import { plural } from './format.js';
import { OUTCOMES } from './labels.js';
import { RecordFeed } from './record-feed.js';
import { emptyState, errorState, loadingState, pauseButton, showLiveState, startShell } from './shell.js';

/** New entries are held back when the reader is further down than this. */
const TOP_PX = 80;
/** The detail of a request that is running is brought up to date this often. */
const RUNNING_MS = 2000;

const form = byId('filters');
const list = byId('list');
const rows = h('ol', { class: 'entries' });
const feed = new RecordFeed({
  kind: 'request',
  onChange: show,
  isHolding: () => isPaused || scrollY > TOP_PX || rows.querySelector('details[open]') !== null,
});
let isPaused = false;
let filters = {};

function show() {
  const { records, held, hasMore, error, isLoading } = feed;
  const showNew = byId('show-new');
  showNew.hidden = held === 0;
  showNew.textContent = `${held} new`;
  byId('older').hidden = !hasMore;
  byId('older').disabled = isLoading;
  byId('summary').textContent = records.length > 0 ? `${plural(records.length, 'request')} shown` : '';
  if (records.length > 0) {
    syncList(rows, records, { key: ({ id }) => id, create: createEntry, update: updateEntry });
    if (rows.parentElement !== list) {
      fill(list, entryHeader(), rows);
    }
  } else {
    fill(list, error ? errorState(error, () => void feed.refresh()) : isLoading ? loadingState() : nothing());
  }
}

function nothing() {
  if (feed.hasMore) {
    return emptyState('Nothing found so far', 'Older entries have not been searched yet: load older ones.');
  }
  return Object.keys(filters).length > 0
    ? emptyState('No request fits these filters', 'Change them, or reset them to see everything.')
    : emptyState('No requests yet', 'Send one to /v1/chat/completions and it appears here at once.');
}

function createEntry(entry) {
  const row = h('div', { class: 'entry-row' });
  const details = h(
    'details',
    { class: 'entry', 'data-entry': entry.id },
    h('summary', { 'data-row': true }, row),
  );
  fillEntryRow(row, entry);
  details.dataset.outcome = entry.outcome;
  details.addEventListener('toggle', () => (details.open ? void showDetail(details) : hideDetail(details)));
  return h('li', null, details);
}

function updateEntry(item, entry) {
  const details = item.firstElementChild;
  details.dataset.outcome = entry.outcome;
  fillEntryRow(details.querySelector('.entry-row'), entry);
  if (details.open) {
    void showDetail(details);
  }
}

async function showDetail(details) {
  const id = details.dataset.entry;
  const place =
    details.querySelector('.entry-place') ?? details.appendChild(h('div', { class: 'entry-place' }));
  if (place.childElementCount === 0) {
    fill(place, loadingState(4));
  }
  try {
    const request = await getJson(`/dashboard/api/requests/${encodeURIComponent(id)}`);
    fill(place, entryDetail(request));
    if (request.entry.outcome === 'pending') {
      setTimeout(() => place.isConnected && void showDetail(details), RUNNING_MS);
    }
  } catch (error) {
    fill(
      place,
      errorState(error, () => void showDetail(details)),
    );
  }
}

function hideDetail(details) {
  details.querySelector('.entry-place')?.remove();
  if (feed.held === 0) {
    feed.showNew();
  }
}

/** A link to one request shows it above the others, folded out. */
async function showPinned() {
  const { id } = readFilters(location.search, ['id']);
  if (id === undefined) {
    return;
  }
  const place = byId('pinned');
  const unpin = h('button', { type: 'button', class: 'small' }, 'Show all requests');
  unpin.addEventListener('click', () => {
    const others = readFilters(location.search, ['q', 'status', 'model', 'account']);
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
  } catch (error) {
    const text = error.status === 404 ? 'This request is not in the log any more' : 'It could not be loaded';
    fill(place, h('div', { class: 'panel' }, emptyState(text, error.message), unpin));
  }
}

startShell();
setChoices(form.elements.status, 'All outcomes', [
  ...Object.entries(OUTCOMES).map(([value, text]) => [text, value]),
  ...['2xx', '4xx', '429', '5xx'].map((status) => [`HTTP ${status}`, status]),
]);
setChoices(form.elements.model, 'All models', []);
setChoices(form.elements.account, 'All accounts', []);
filters = bindFilters(form, (changed) => {
  filters = changed;
  fill(list, loadingState());
  void feed.filter(filters);
});
fill(list, loadingState());
byId('older').addEventListener('click', () => void feed.older());
byId('show-new').addEventListener('click', () => {
  feed.showNew();
  scrollTo({ top: 0 });
});
pauseButton(byId('pause'), (paused) => {
  isPaused = paused;
  if (!paused) {
    feed.showNew();
  }
  showLiveState(paused ? 'paused' : 'live');
});
void showPinned();
void offerKnown({ model: form.elements.model, account: form.elements.account });
feed.start(filters, (state) => showLiveState(isPaused && state === 'live' ? 'paused' : state));
