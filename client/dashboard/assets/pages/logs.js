import { fetchRequest } from '../data/fetch-record.js';
import { filterQuery, readFilters, toLogQuery } from '../data/filters.js';
import { plural } from '../data/format.js';
import { REASON_CHOICES } from '../data/reasons.js';
import { notSaved, saveList } from '../data/save-list.js';
import { requestIdIn, searchedText } from '../data/search/pasted-error.js';
import { serverNow } from '../data/server-clock.js';
import { entryItem, followItem, updateEntryItem } from '../widgets/entry/entry-item.js';
import { entryHeader } from '../widgets/entry/entry-row.js';
import { rememberToggle, reopen, unfoldedEntry } from '../widgets/entry/reopening.js';
import { TurnFolds } from '../widgets/entry/turn-folds.js';
import { FeedView } from '../widgets/feed/feed-view.js';
import {
  filterNames,
  offerKnown,
  offerNodes,
  offerTimes,
  setChoices,
  unfoldIfUsed,
} from '../widgets/feed/filter-form.js';
import { byId, fill, h, syncList } from '../widgets/kit/dom.js';
import { OUTCOMES } from '../widgets/kit/labels.js';
import { isCaller } from '../widgets/kit/role.js';
import {
  emptyState,
  errorState,
  loadingState,
  reloadWithOtherKey,
  startShell,
} from '../widgets/shell/shell.js';

/** Filters with which no turns are folded. */
const UNFOLDED_BY = ['sort', 'conversation', 'status', 'reason'];

const form = byId('filters');
const list = byId('list');
const rows = h('ol', { class: 'entries' });
const folds = new TurnFolds(rows, (...counts) => (byId('summary').textContent = summaryOf(...counts)));
const view = new FeedView({
  kind: 'request',
  show,
  toQuery,
  rows,
  none: ['No requests yet', 'Send one to /v1/chat/completions and it appears here at once.'],
  noneFits: ['No request fits these filters', 'Change them, or reset them to see everything.'],
  onEmpty: () => (byId('summary').textContent = summaryOf(0)),
});
const { feed } = view;
/** The entry that was unfolded when the page was left, until it is unfolded again. */
let left = unfoldedEntry();

/** Most lines of a page. In another order than that of time there is only one. */
const PAGE_LINES = 500;

/** A search in texts takes many pages, each of which may have few lines. */
async function saveCsv() {
  const query = { ...toLogQuery(toQuery(view.filters), serverNow()), limit: PAGE_LINES, format: 'csv' };
  const note = byId('csv-note');
  byId('csv').disabled = true;
  note.textContent = 'Reading the log …';
  try {
    const saved = await saveList((before) => `/log/json${filterQuery({ ...query, before })}`, 'log.csv');
    note.textContent = omissionOf(saved, query.sort);
  } catch (error) {
    note.textContent = notSaved(error);
  } finally {
    byId('csv').disabled = false;
  }
}

/** Of the error of a program, the message within it is looked for. */
function toQuery({ q, ...others }) {
  return q === undefined ? others : { ...others, q: searchedText(q) };
}

/** What a saved file does not have, in a sentence. */
function omissionOf({ isWhole, lines }, sort) {
  if (sort !== undefined && lines > PAGE_LINES) {
    return `The file has the first ${PAGE_LINES} lines in this order. “Newest first” has all.`;
  }
  return isWhole ? '' : 'The file has the latest lines only. Narrow the filters for the rest.';
}

/** Number of rows, what was looked for if that is not what was entered, and the span of time. */
function summaryOf(shown, folded = 0) {
  const { q } = view.filters;
  const wanted = searchedText(q);
  const parts = [
    `${plural(shown, 'request')} shown`,
    wanted !== q && `with the text “${wanted}”`,
    folded > 0 && `${plural(folded, 'earlier turn')} folded`,
    view.span,
  ];
  return parts.filter(Boolean).join(', ');
}

function show(records) {
  // In another order, turns do not stand together; of one conversation, or of one end, all are wanted.
  const arranged = folds.arrange(
    records,
    UNFOLDED_BY.every((name) => view.filters[name] === undefined),
  );
  const create = (entry) => entryItem(entry, toggled);
  syncList(rows, arranged, { key: ({ id }) => id, create, update: updateEntryItem });
  folds.apply();
  if (rows.parentElement !== list) {
    fill(list, entryHeader(), rows);
  }
  if (left) {
    void reopen(rows, feed, left);
    left = undefined;
  }
}

function toggled(details) {
  rememberToggle(details);
  if (!details.open && feed.held === 0) {
    feed.showNew();
  }
}

/**
 * Shows the request that is named in the text field, if the log has it, in place of the list; if it has several answers, each
 * with an entry of its own, the list of them.
 */
async function showNamed() {
  const { q } = form.elements;
  const entered = q.value;
  const id = requestIdIn(entered);
  const [found, second] = id === undefined ? [] : await Promise.all([id, `${id}-2`].map(findRequest));
  // Behind the id, somebody may be about to write the number of an answer.
  const isAsEntered = second && (entered === id || entered === `${id}-`);
  if (!found || q.value !== entered || isAsEntered) {
    return;
  }
  q.value = second ? id : '';
  q.dispatchEvent(new Event('input', { bubbles: true }));
  if (!second) {
    history.replaceState(null, '', location.pathname + filterQuery({ id }));
    await showPinned();
    byId('pinned').querySelector('[data-row]')?.focus();
  }
}

/** Undefined if it is not in the log, or cannot be had. */
function findRequest(id) {
  return fetchRequest(id).catch(() => undefined);
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
    const others = readFilters(location.search, filterNames(form));
    history.replaceState(null, '', location.pathname + filterQuery(others));
    place.replaceChildren();
    document.body.classList.remove('is-pinned');
    byId('main').focus({ preventScroll: true });
  });
  document.body.classList.add('is-pinned');
  fill(place, loadingState());
  try {
    const { entry } = await fetchRequest(id);
    const item = entryItem(entry);
    fill(
      place,
      h('div', { class: 'pinned-head' }, h('h2', null, 'One request'), unpin),
      h('div', { class: 'panel flush' }, entryHeader(), h('ol', { class: 'entries' }, item)),
    );
    item.firstElementChild.open = true;
    followItem(item);
  } catch (error) {
    const state =
      error.status === 404
        ? emptyState(
            'This request is not in the log',
            'It is no longer kept, or belongs to another key: callers see only their own requests.',
          )
        : errorState(error, () => void showPinned());
    fill(place, h('div', { class: 'panel' }, state, unpin));
  }
}

startShell();
reloadWithOtherKey();
setChoices(form.elements.status, 'All outcomes', [
  ['any failure', 'failed'],
  ...Object.entries(OUTCOMES).map(([value, text]) => [text, value]),
  ...['2xx', '4xx', '429', '5xx'].map((status) => [`HTTP ${status}`, status]),
]);
offerTimes(form.elements);
setChoices(form.elements.reason, 'Any reason', REASON_CHOICES);
setChoices(form.elements.operation, 'Anything', [['Completions', 'completion']]);
setChoices(form.elements.sort, 'Newest first', [
  ['Slowest first', 'slowest'],
  ['Most tokens first', 'largest'],
  ['Longest wait first', 'waited'],
]);
unfoldIfUsed(byId('more-filters'));
setChoices(form.elements.model, 'All models', []);
setChoices(form.elements.account, 'All accounts', []);
setChoices(form.elements.key, 'All keys', []);
setChoices(form.elements.node, 'All nodes', []);
byId('csv').addEventListener('click', () => void saveCsv());
void showPinned();
form.elements.q.addEventListener('input', () => void showNamed());
const { model, account, key } = form.elements;
if (isCaller()) {
  void offerKnown({ model });
} else {
  void offerKnown({ model, account, key });
  void offerNodes(form.elements.node);
}
view.start();
void showNamed();
