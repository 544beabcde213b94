import { getJson } from '../data/api.js';
import { connection } from '../data/connection.js';
import { plural } from '../data/format.js';
import { saveList } from '../data/save-list.js';
import { serverNow } from '../data/server-clock.js';
import { usageByDay } from '../data/usage-by-day.js';
import { auditTable } from '../widgets/keys/audit-table.js';
import { askForNewKey } from '../widgets/keys/key-form.js';
import { keyTable } from '../widgets/keys/key-table.js';
import { usageChart } from '../widgets/keys/usage-chart.js';
import { usageTable } from '../widgets/keys/usage-table.js';
import { byId, fill } from '../widgets/kit/dom.js';
import { redraw } from '../widgets/kit/redraw.js';
import { pollPage } from '../widgets/shell/poll-page.js';
import { loadingState, showStale, startShell } from '../widgets/shell/shell.js';

const REFRESH_MS = 10_000;
const DAYS = 30;

const chart = usageChart(byId('usage-chart'));
let isShown = false;
/** Rows of usage as shown last. */
let used = [];

const refresh = pollPage({
  everyMs: REFRESH_MS,
  read: (signal) =>
    Promise.all([
      getJson('/dashboard/api/keys', { signal }),
      getJson(`/dashboard/api/usage?days=${DAYS}`, { signal }),
      getJson('/dashboard/api/audit?limit=20', { signal }),
    ]),
  show,
  place: byId('list'),
  isShown: () => isShown,
});

function show([{ keys, configured, isLocked }, { rows }, { actions }]) {
  isShown = true;
  const active = keys.filter(({ state }) => state === 'active').length;
  byId('summary').textContent = isLocked
    ? `${plural(active, 'key')} active, ${configured.length} in the settings`
    : "There is no key: the gateway is open. Make an operator's key first.";
  redraw(byId('list'), keyTable(keys, configured, refresh), nearby);
  chart.show(usageByDay(rows, DAYS, serverNow()));
  used = rows;
  showUsage();
  redraw(byId('audit'), auditTable(actions));
}

/** The control near an action's button that is gone, or that says the opposite once the action is done. */
function nearby({ dataset: { name } }) {
  const near = name === undefined ? null : document.querySelector(`[data-name="${CSS.escape(name)}"]`);
  return near ?? byId('add');
}

function showUsage() {
  redraw(byId('usage'), usageTable(used, byId('usage-by').value));
}

startShell();
fill(byId('list'), loadingState());
byId('add').addEventListener('click', async () => {
  await askForNewKey();
  void refresh();
});
byId('csv').addEventListener('click', () => {
  void saveList(() => `/dashboard/api/usage?days=${DAYS}&format=csv`, 'usage.csv').catch(showStale);
});
byId('usage-by').addEventListener('change', showUsage);
connection.addEventListener('up', () => void refresh());
document.addEventListener('visibilitychange', () => (document.hidden ? undefined : void refresh()));
void refresh();
