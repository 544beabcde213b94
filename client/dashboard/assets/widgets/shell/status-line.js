import { send } from '../../data/api.js';
import { connection } from '../../data/connection.js';
import { inTab, keyChanges } from '../../data/key/key-store.js';
import { live } from '../../data/live/live.js';
import { accountsBadge, notices, serviceSign } from '../../data/status.js';
import { byId, fill, h } from '../kit/dom.js';
import { released } from '../kit/released.js';
import { timeLeft } from '../kit/ticker.js';

const LINKS = {
  accounts: ['/dashboard/accounts', 'Look at the accounts'],
  add: ['/dashboard/accounts', 'Add an account'],
  failures: ['/dashboard/logs?status=upstream_error', 'Look at the failures'],
};

const CHANGES = {
  login: ['Log in again', '/dashboard/api/accounts/login', undefined],
  preview: ['Stop', '/dashboard/api/full-texts', { minutes: 0 }],
};

/** Difference of two ends by which a line is drawn again: less is the time that a report took. */
const DRIFT_MS = 5000;

/** What was shown last in this tab: the next page begins with it, or its line would come late and move all below. */
const LAST = 'gateway-status';
const LAST_FRESH_MS = 15_000;

const sign = h('a', { class: 'pill', id: 'sign', href: '/dashboard/accounts', hidden: true });
const line = h('div', { id: 'status' });
const title = document.title;
/** What was drawn last, without its remaining times, and when these are over. */
let shown = { text: '', ends: [] };
/** Status to be shown once nothing is pressed. */
let latest;

/** Follows the state of the gateway: sign in the header, line above the page, badge in the navigation, title of the tab. */
export function startStatusLine() {
  byId('notices').after(line);
  connection.addEventListener('down', showUnknown);
  keyChanges.addEventListener('change', showUnknown);
  live.addEventListener('status', ({ detail }) => void showReleased(detail));
  live.addEventListener('locked', showUnknown);
  live.addEventListener('unknown', showUnknown);
  live.addEventListener('forbidden', showUnknown);
  live.watchStatus();
  const last = inTab((storage) => JSON.parse(storage.getItem(LAST)));
  if (last && Math.abs(Date.now() - last.at) < LAST_FRESH_MS) {
    show(last.status);
  }
  return h('span', { role: 'status' }, sign);
}

async function showReleased(status) {
  latest = status;
  await released();
  if (latest === status) {
    inTab((storage) => storage.setItem(LAST, JSON.stringify({ at: Date.now(), status })));
    show(status);
  }
}

function show(status) {
  const { nextReadyMs, refusesForMs, log, ...others } = status;
  const { fullTextsMs, ...logState } = log;
  const text = JSON.stringify([others, logState]);
  const ends = [nextReadyMs, refusesForMs, fullTextsMs].map((ms) => ms && performance.now() + ms);
  // The remaining time ticks by itself: a later report must not have the line read out again, or move what is pressed.
  if (text === shown.text && ends.every((end, at) => isSame(end, shown.ends[at]))) {
    return;
  }
  shown = { text, ends };
  const service = serviceSign(status);
  const list = notices(status);
  sign.hidden = false;
  sign.dataset.tone = service.tone;
  sign.textContent = service.text;
  fill(line, list.map(noticeLine));
  document.title = list.some(({ tone }) => tone !== 'info') ? `(!) ${title}` : title;
  showBadge(accountsBadge(status));
}

/** Whether two ends are the same, or there is none either time. */
function isSame(end, before) {
  return end === before || Math.abs(end - before) < DRIFT_MS;
}

/** While nothing is known, nothing may look well. */
function showUnknown() {
  latest = undefined;
  inTab((storage) => storage.removeItem(LAST));
  shown = { text: '', ends: [] };
  sign.hidden = true;
  fill(line);
  document.title = connection.isDown ? `(!) ${title}` : title;
}

function noticeLine({ tone, text, more, leftMs, action }) {
  return h(
    'div',
    { class: `notice ${tone}`, role: tone === 'bad' ? 'alert' : 'status' },
    h('strong', null, text, leftMs !== undefined && [' ', timeLeft(leftMs)]),
    more && h('span', null, more),
    action && actionButton(action),
  );
}

function actionButton(action) {
  if (action in LINKS) {
    const [href, label] = LINKS[action];
    return (location.pathname + location.search).startsWith(href) ? undefined : h('a', { href }, label);
  }
  const [label, path, body] = CHANGES[action];
  const problem = h('span', { role: 'alert' });
  const button = h('button', { type: 'button', class: 'small' }, label);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await send('POST', path, body);
      live.retry();
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
  return [button, problem];
}

function showBadge(value) {
  const link = document.querySelector('nav a[href="/dashboard/accounts"]');
  const badge = link?.querySelector('.count');
  if (value === 0) {
    badge?.remove();
  } else if (link) {
    fill(
      badge ?? link.appendChild(h('span', { class: 'count' })),
      value,
      h('span', { class: 'unseen' }, value === 1 ? ' needs a login' : ' need a login'),
    );
  }
}
