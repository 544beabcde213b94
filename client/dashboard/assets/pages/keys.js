import { getJson } from '../data/api.js';
import { filterQuery, readFilters } from '../data/filters.js';
import { plural } from '../data/format.js';
import { limitsInUse, tokensToday } from '../data/key-limits.js';
import { notSaved, saveList } from '../data/save-list.js';
import { serverNow } from '../data/server-clock.js';
import { UsageRows } from '../data/usage-rows.js';
import { auditTable } from '../widgets/keys/audit-table.js';
import { askForNewKey } from '../widgets/keys/key-form.js';
import { KeyList } from '../widgets/keys/key-list.js';
import { KeyRequests } from '../widgets/keys/key-requests.js';
import { UsagePanel } from '../widgets/keys/usage-panel.js';
import { byId, fill, h, tell } from '../widgets/kit/dom.js';
import { redrawTable } from '../widgets/kit/redraw.js';
import { pollPage } from '../widgets/shell/poll-page.js';
import { emptyState, loadingState, startShell } from '../widgets/shell/shell.js';

const REFRESH_MS = 10_000;
/** Actions shown at first, and the most, which is what the gateway gives at once. */
const FIRST_ACTIONS = 20;
const MOST_ACTIONS = 500;

/** `key`: the only key that is shown, with its requests. */
const only = readFilters(location.search, ['key']);
const keys = new KeyList(only.key, () => void refresh());
const panel = new UsagePanel(only);
const requests = only.key === undefined ? undefined : new KeyRequests(byId('requests'), only.key);
const usage = new UsageRows(
  async (days, signal) => (await getJson(usagePath({ days }), { signal })).rows,
  serverNow,
);
let isShown = false;
let wantedActions = FIRST_ACTIONS;

const refresh = pollPage({
  everyMs: REFRESH_MS,
  read: (signal) =>
    Promise.all([
      getJson('/dashboard/api/keys', { signal }),
      usage.of(panel.days, signal),
      requests ? requests.read(signal) : readActions(signal),
    ]),
  show,
  place: byId('list'),
  isShown: () => isShown,
});

/** The rest of the page is shown without them: a gateway knows it also while it cannot reach a shared database. */
function readActions(signal) {
  return getJson(`/dashboard/api/audit?limit=${wantedActions}`, { signal }).catch((error) => ({ error }));
}

function usagePath(more) {
  return `/dashboard/api/usage${filterQuery(only, more)}`;
}

function show([list, rows, more]) {
  isShown = true;
  const usedToday = tokensToday(rows, serverNow());
  keys.show(list, usedToday);
  if (requests) {
    requests.show(more);
  } else {
    tell(byId('summary'), summaryOf(list, usedToday));
    redrawTable(byId('audit'), actionsOf(more));
  }
  panel.show(rows);
}

function actionsOf({ error, actions }) {
  if (error) {
    return emptyState('The actions cannot be shown now', error.message);
  }
  const hasMore = actions.length === wantedActions && wantedActions < MOST_ACTIONS;
  return [auditTable(actions), hasMore && h('div', { class: 'more' }, olderActions())];
}

function olderActions() {
  const button = h('button', { type: 'button', 'data-action': 'older' }, 'Show older');
  button.addEventListener('click', () => {
    wantedActions = MOST_ACTIONS;
    void refresh();
  });
  return button;
}

function summaryOf({ keys, configured, isLocked, isDivided }, usedToday) {
  if (!isLocked) {
    return "The gateway has no key and is open. Make an operator's key first.";
  }
  const active = keys.filter(({ state }) => state === 'active');
  const limitsOf = (key) => limitsInUse(key, { usedToday: usedToday.get(key.name) ?? 0, isDivided });
  const isUsedUp = (key) => limitsOf(key).some((limit) => limit.isUsedUp);
  const isClose = (key) => limitsOf(key).some((limit) => limit.isClose);
  const parts = [
    `${plural(active.length, 'key')} active`,
    `${configured.length} in the settings`,
    named('at a limit', active.filter(isUsedUp)),
    named(
      'close to a limit',
      active.filter((key) => isClose(key) && !isUsedUp(key)),
    ),
  ];
  return parts.filter(Boolean).join(', ');
}

function named(text, keys) {
  return keys.length > 0 && `${text}: ${keys.map(({ name }) => name).join(', ')}`;
}

function showOnly() {
  byId('title').textContent = only.key;
  document.title = `${only.key} · ${document.title}`;
  byId('add').hidden = true;
  byId('audit-panel').remove();
  byId('usage-by').querySelector('[value="key"]').remove();
  byId('summary').replaceWith(h('a', { href: '/dashboard/keys' }, 'All keys'));
}

/**
 * Makes choices part of the address, as far as they are not those of before.
 *
 * @param {Record<string, readonly [select: HTMLSelectElement, onChange: () => void]>} choices by their names there
 */
function bindChoices(choices) {
  const wanted = readFilters(location.search, Object.keys(choices));
  const defaults = {};
  for (const [name, [select, onChange]] of Object.entries(choices)) {
    defaults[name] = select.value;
    if ([...select.options].some(({ value }) => value === wanted[name])) {
      select.value = wanted[name];
    }
    select.addEventListener('change', () => {
      const chosen = Object.entries(choices).map(([key, [{ value }]]) => [
        key,
        value === defaults[key] ? '' : value,
      ]);
      history.replaceState(null, '', location.pathname + filterQuery(only, Object.fromEntries(chosen)));
      onChange();
    });
  }
}

startShell();
if (requests) {
  showOnly();
}
bindChoices({
  days: [byId('usage-days'), () => void refresh()],
  by: [byId('usage-by'), () => panel.show()],
});
fill(byId('list'), loadingState());
byId('add').addEventListener('click', async () => {
  await askForNewKey();
  void refresh();
});
byId('csv').addEventListener('click', () => {
  const note = byId('csv-note');
  note.textContent = '';
  saveList(() => usagePath({ days: panel.days, format: 'csv' }), 'usage.csv').catch(
    (error) => (note.textContent = notSaved(error)),
  );
});
void refresh();
