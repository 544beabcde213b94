import { fetchRequest } from '../../data/fetch-record.js';
import { fill, h } from '../kit/dom.js';
import { errorState, loadingState } from '../shell/shell.js';
import { EntryDetail } from './entry-detail.js';
import { fillEntryRow } from './entry-row.js';

/** Refresh interval of a running request's detail. */
const RUNNING_MS = 1000;

/**
 * A row of a request that unfolds its detail, as an item of a list.
 *
 * @param {any} entry
 * @param {(details: HTMLDetailsElement) => void} [onToggle] called after it was unfolded or folded
 */
export function entryItem(entry, onToggle = () => undefined) {
  const details = h(
    'details',
    { class: 'entry', 'data-entry': entry.id, 'data-at': entry.startedAt },
    h('summary', { 'data-row': true }, h('div', { class: 'entry-row' })),
  );
  fillRow(details, entry);
  details.addEventListener('toggle', () => {
    if (details.open) {
      void showDetail(details);
    } else {
      details.querySelector('.entry-place')?.remove();
    }
    onToggle(details);
  });
  return h('li', null, details);
}

export function updateEntryItem(item, entry) {
  const details = item.firstElementChild;
  fillRow(details, entry);
  // The detail of a running request follows it by itself.
  if (details.open && entry.outcome !== 'pending') {
    void showDetail(details);
  }
}

/** Refreshes the row of a running request while it is folded: unfolded, it is refreshed with its detail. */
export function followItem(item) {
  const details = item.firstElementChild;
  if (details.dataset.outcome !== 'pending') {
    return;
  }
  setTimeout(async () => {
    if (!details.isConnected) {
      return;
    }
    if (!details.open) {
      const request = await fetchRequest(details.dataset.entry).catch(() => undefined);
      if (request) {
        fillRow(details, request.entry);
      }
    }
    followItem(item);
  }, RUNNING_MS);
}

function fillRow(details, entry) {
  details.dataset.outcome = entry.outcome;
  fillEntryRow(details.querySelector('.entry-row'), entry);
}

async function showDetail(details) {
  const shown = details.querySelector('.entry-place');
  const place = shown ?? details.appendChild(h('div', { class: 'entry-place' }, loadingState(4)));
  try {
    const request = await fetchRequest(details.dataset.entry);
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
