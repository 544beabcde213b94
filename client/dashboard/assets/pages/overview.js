import { getJson } from '../data/api.js';
import { RecordFeed } from '../data/feed/record-feed.js';
import { COUNTED, filterQuery, readFilters } from '../data/filters.js';
import { bytes, count, duration, plural } from '../data/format.js';
import { live } from '../data/live/live.js';
import { entryLink, updateEntryLink } from '../widgets/entry/entry-link.js';
import { entryHeader } from '../widgets/entry/entry-row.js';
import { byId, fill, h, syncList } from '../widgets/kit/dom.js';
import { stateBadge, stateText } from '../widgets/kit/labels.js';
import { redraw } from '../widgets/kit/redraw.js';
import { requestLink } from '../widgets/kit/request-link.js';
import { timeLeft } from '../widgets/kit/ticker.js';
import { CapacityPanel } from '../widgets/overview/capacity-panel.js';
import { latencyChart, throughputChart } from '../widgets/overview/charts.js';
import { ClientFindings } from '../widgets/overview/client-findings.js';
import { NodeCards } from '../widgets/overview/node-cards.js';
import { fillPool } from '../widgets/overview/pool-panel.js';
import { StartCard } from '../widgets/overview/start-card.js';
import { showTiles } from '../widgets/overview/tiles.js';
import { pollPage } from '../widgets/shell/poll-page.js';
import {
  emptyState,
  errorState,
  loadingState,
  pauseButton,
  showLiveState,
  startShell,
} from '../widgets/shell/shell.js';

const REFRESH_MS = 5000;
/** Debounce of the refresh after a request began or ended. */
const REFRESH_DEBOUNCE_MS = 700;
/** Least time between two refreshes for requests: under load they begin and end all the time. */
const LEAST_PAUSE_MS = 2000;
/** The page goes on below them. */
const STREAM_ROWS = 10;
/** Names of the ranges in the filters of the log. */
const SPANS = { 15: '15min', 60: 'hour', 360: '6h', 1440: '24h', 10080: '7d' };

const stream = h('ol', { class: 'entries' });
const feed = new RecordFeed({
  kind: 'request',
  onChange: showStream,
  isHolding: () => isPaused,
});
const charts = [throughputChart(byId('throughput')), latencyChart(byId('latency'))];
const capacity = new CapacityPanel(byId('capacity'));
const clients = new ClientFindings(byId('clients'));
const nodes = new NodeCards(byId('nodes'));
const startCard = new StartCard();
let isPaused = false;
/** Timer of a refresh after a request began or ended. */
let soon;
let refreshedAt = -Infinity;
/** Reads under way. */
let readings = 0;

const refresh = pollPage({
  everyMs: REFRESH_MS,
  async read(signal) {
    clearTimeout(soon);
    soon = undefined;
    refreshedAt = performance.now();
    readings += 1;
    void clients.refresh();
    void capacity.refresh(minutes(), counted());
    try {
      return await getJson(`/dashboard/api/overview?minutes=${minutes()}`, { signal });
    } finally {
      readings -= 1;
    }
  },
  show(overview) {
    showFigures(overview);
    showAccounts(overview.glance, overview.accounts);
    nodes.show(overview.nodes);
  },
  place: byId('warnings'),
  isShown: () => byId('tiles').hasChildNodes(),
});

function refreshSoon() {
  const restMs = refreshedAt + LEAST_PAUSE_MS - performance.now();
  soon ??= setTimeout(refreshUnlessReading, Math.max(REFRESH_DEBOUNCE_MS, restMs));
}

/** A new read gives up the one under way: over a slow connection, none would come to its end. */
function refreshUnlessReading() {
  soon = undefined;
  if (readings > 0) {
    refreshSoon();
  } else if (!document.hidden) {
    void refresh();
  }
}

function minutes() {
  return document.querySelector('[name="minutes"]:checked').value;
}

const showReasons = () => capacity.choose('reason');

/** Filters of the requests that the page counts. */
function counted() {
  return { ...COUNTED, time: SPANS[minutes()] };
}

function showFigures({ totals, series, pool, log, version, uptimeMs, provider }) {
  showTiles(byId('tiles'), { totals, pool, filters: counted(), showReasons });
  charts.forEach((chart) => chart.show({ series, totals }));
  byId('bucket').textContent = `requests in each ${duration(series.bucketMs)}, the last one not over yet`;
  fillPool(byId('pool'), pool);
  byId('process').textContent = [
    `Version ${version}`,
    `provider ${provider}`,
    `up for ${duration(uptimeMs)}`,
    `${plural(log.entries, 'log record')}, ${bytes(log.bytes)}`,
  ].join(' · ');
  fill(byId('warnings'));
}

function showAccounts({ accounts, others }, counts) {
  const states = Object.entries(counts).filter(([, value]) => value > 0);
  redraw(
    byId('accounts'),
    accounts.length === 0
      ? emptyState('No accounts', 'Add one, or no request can be served.')
      : [
          h(
            'p',
            { class: 'quiet' },
            states.map(([state, value]) => `${count(value)} ${stateText(state)}`).join(' · '),
          ),
          h('ul', { class: 'glance' }, accounts.map(glance)),
          others > 0 && h('p', { class: 'quiet' }, `and ${plural(others, 'more account')}`),
        ],
  );
}

function glance(account) {
  const { name, cooldown, leases, sessions } = account;
  return h(
    'li',
    null,
    h('strong', null, requestLink({ ...counted(), account: name }, name)),
    stateBadge(account),
    cooldown && h('span', { class: 'quiet', title: cooldown.cause }, timeLeft(cooldown.remainingMs), ' left'),
    h('span', { class: 'quiet sessions' }, `${count(leases)} of ${plural(sessions, 'session')} in use`),
  );
}

function showStream() {
  const rows = feed.records.slice(0, STREAM_ROWS);
  const place = byId('stream');
  if (rows.length > 0) {
    syncList(stream, rows, { key: ({ id }) => id, create: entryLink, update: updateEntryLink });
    if (stream.parentElement !== place) {
      fill(place, entryHeader(), stream);
    }
  } else if (feed.error) {
    fill(
      place,
      errorState(feed.error, () => void feed.refresh()),
    );
  } else if (!feed.isLoading) {
    fill(place, emptyState('No requests yet', 'Send one as shown above, and it appears here at once.'));
    startCard.open();
  }
}

startShell();
byId('start').append(startCard.element);
const chosen = document.querySelector(
  `[name="minutes"][value="${CSS.escape(readFilters(location.search, ['minutes']).minutes ?? '60')}"]`,
);
if (chosen) {
  chosen.checked = true;
}
byId('range').addEventListener('change', () => {
  history.replaceState(null, '', filterQuery({ minutes: minutes() }));
  void refresh();
});
pauseButton(byId('pause'), (paused) => {
  isPaused = paused;
  if (!paused) {
    feed.showNew();
  }
});
live.addEventListener('records', refreshSoon);
fill(byId('stream'), loadingState());
void refresh();
feed.start({}, showLiveState);
