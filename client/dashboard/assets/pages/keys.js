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
import { released } from '../widgets/kit/released.js';
import { errorState, loadingState, showStale, startShell } from '../widgets/shell/shell.js';

const REFRESH_MS = 10_000;
const DAYS = 30;

const chart = usageChart(byId('usage-chart'));
let refreshing;
let isShown = false;
/** Rows of usage as shown last. */
let used = [];

/** Fetches keys, usage and audit list now and then periodically. */
async function refresh() {
  clearTimeout(refreshing);
  try {
    const [keys, usage, audit] = await Promise.all([
      getJson('/dashboard/api/keys'),
      getJson(`/dashboard/api/usage?days=${DAYS}`),
      getJson('/dashboard/api/audit?limit=20'),
    ]);
    await released();
    show(keys, usage, audit);
    showStale();
  } catch (error) {
    if (isShown) {
      showStale(error);
    } else {
      fill(
        byId('list'),
        errorState(error, () => void refresh()),
      );
    }
    if (error.status === 401) {
      return;
    }
  }
  clearTimeout(refreshing);
  refreshing = setTimeout(() => (document.hidden ? undefined : void refresh()), REFRESH_MS);
}

function show({ keys, configured, isLocked }, { rows }, { actions }) {
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
