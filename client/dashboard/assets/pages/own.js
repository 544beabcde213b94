import { getJson, OWN_KEY } from '../data/api.js';
import { filterQuery } from '../data/filters.js';
import { tokensToday } from '../data/key-limits.js';
import { serverNow } from '../data/server-clock.js';
import { toUsageRow, UsageRows } from '../data/usage-rows.js';
import { askToRotate } from '../widgets/keys/key-end.js';
import { KeyRequests } from '../widgets/keys/key-requests.js';
import { ownLimits } from '../widgets/keys/own-limits.js';
import { UsagePanel } from '../widgets/keys/usage-panel.js';
import { byId, fill, h } from '../widgets/kit/dom.js';
import { redraw } from '../widgets/kit/redraw.js';
import { StartCard } from '../widgets/overview/start-card.js';
import { pollPage } from '../widgets/shell/poll-page.js';
import { loadingState, reloadWithOtherKey, startShell } from '../widgets/shell/shell.js';

const REFRESH_MS = 10_000;

/** The log shows to callers their own requests only; to operators, those of their key are to be asked for. */
const filters = {};
const panel = new UsagePanel(filters);
const usage = new UsageRows(
  async (days, signal) =>
    (await getJson(`${OWN_KEY}/usage${filterQuery({ days })}`, { signal })).data.map(toUsageRow),
  serverNow,
);
let requests;
let isShown = false;

const refresh = pollPage({
  everyMs: REFRESH_MS,
  async read(signal) {
    const [key, rows] = await Promise.all([getJson(OWN_KEY, { signal }), usage.of(panel.days, signal)]);
    filters.key = key.name ?? '';
    requests ??= new KeyRequests(byId('requests'), filters.key);
    return [key, rows, await requests.read(signal)];
  },
  show([key, rows, found]) {
    isShown = true;
    // A live region is read out whenever it is filled, also with the same.
    if (!byId('summary').hasChildNodes()) {
      fill(byId('summary'), ...summaryOf(key));
    }
    byId('rotate').hidden = key.secret?.expiresAt !== null;
    const usedToday = tokensToday(rows, serverNow()).get(undefined) ?? 0;
    redraw(byId('limits'), ownLimits(key, usedToday));
    requests.show(found);
    panel.show(rows);
  },
  place: byId('limits'),
  isShown: () => isShown,
});

function summaryOf({ name, role }) {
  if (name === null) {
    return ['This gateway has no keys: everybody who reaches it may use and operate it.'];
  }
  return role === 'operator'
    ? [`${name}, an operator's: it opens `, h('a', { href: '/dashboard' }, 'all pages')]
    : [name];
}

startShell();
const takeSecret = reloadWithOtherKey();
byId('start').append(new StartCard().element);
fill(byId('limits'), loadingState());
byId('rotate').addEventListener('click', async () => {
  await askToRotate({ name: filters.key }, `${OWN_KEY}/rotate`, (secret) => {
    takeSecret(secret);
    return 'This page uses it from now on. Replace the old one wherever else you use the key.';
  });
  void refresh();
});
byId('usage-by').addEventListener('change', () => panel.show());
byId('usage-days').addEventListener('change', () => void refresh());
void refresh();
