import { getJson } from '../data/api.js';
import { count, plural } from '../data/format.js';
import { accountCard, fillAccountCard } from '../widgets/account/account-card.js';
import { AccountDays } from '../widgets/account/account-days.js';
import { askForAccount } from '../widgets/account/account-form.js';
import { byId, fill, h, syncList } from '../widgets/kit/dom.js';
import { pollPage } from '../widgets/shell/poll-page.js';
import { emptyState, loadingState, startShell } from '../widgets/shell/shell.js';

const REFRESH_MS = 3000;

const list = byId('list');
const cards = h('ul', { class: 'accounts' });
const days = new AccountDays();
/** The credentials that accounts have here; undefined until the first answer. */
let credentialFields;
let shownText;
/** Ids of the accounts that stand first. @type {Set<string> | undefined} */
let wanted;

const refresh = pollPage({
  everyMs: REFRESH_MS,
  read: (signal) => getJson('/dashboard/api/accounts', { signal }),
  show,
  place: list,
  isShown: () => cards.hasChildNodes(),
});

function show({ accounts: all, pool, canHandOver, credentialFields: fields }) {
  void days.refresh().then((isRead) => isRead && refresh());
  credentialFields = fields;
  const accounts = all.map((account) => ({
    ...account,
    canHandOver,
    credentialFields,
    days: days.of(account.name),
  }));
  const ready = accounts.filter(({ state }) => state === 'ready').length;
  byId('summary').textContent =
    `${count(ready)} of ${plural(accounts.length, 'account')} ready · ${plural(pool.leases, 'session')} in use, ${count(pool.idle)} idle · ${plural(pool.waiting, 'request')} waiting`;
  if (accounts.length === 0) {
    fill(list, emptyState('No accounts', 'No request can be served without an account. Add the first.'));
    return;
  }
  syncList(cards, unchanged(wantedFirst(accounts)), {
    key: ({ id }) => id,
    create: (account) => accountCard(account, refresh),
    update: fillAccountCard,
  });
  if (cards.parentElement !== list) {
    fill(list, cards);
  }
}

/** Accounts that need a login when the page is opened stand first; later none moves away from whoever reads or presses it. */
function wantedFirst(accounts) {
  wanted ??= new Set(accounts.filter(({ state }) => state === 'login_required').map(({ id }) => id));
  return accounts.toSorted((a, b) => Number(wanted.has(b.id)) - Number(wanted.has(a.id)));
}

/** Keeps the object of an account that would look the same, so that its card is not redrawn. */
function unchanged(accounts) {
  const before = shownText ?? new Map();
  shownText = new Map(
    accounts.map((account) => {
      const { cooldown, ...rest } = account;
      // The remaining time is left out: the card counts down by itself.
      const text = JSON.stringify([rest, cooldown && [cooldown.cause, Math.round(cooldown.until / 1000)]]);
      const old = before.get(account.id);
      return [account.id, old?.text === text ? old : { text, account }];
    }),
  );
  return [...shownText.values()].map(({ account }) => account);
}

/** The credentials to ask for, for a person who is faster than the first answer. */
async function readFields() {
  try {
    return (await getJson('/dashboard/api/accounts')).credentialFields;
  } catch {
    return [];
  }
}

startShell();
fill(list, loadingState());
byId('add').addEventListener('click', async () => {
  if (await askForAccount({ credentialFields: credentialFields ?? (await readFields()) })) {
    void refresh();
  }
});
void refresh();
