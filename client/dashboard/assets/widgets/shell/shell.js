import { getJson, OWN_KEY, promptForKeyWith } from '../../data/api.js';
import { connection } from '../../data/connection.js';
import { hasKey, keyChanges, storedKey, useKey } from '../../data/key/key-store.js';
import { live as events } from '../../data/live/live.js';
import { byId, fill, h } from '../kit/dom.js';
import { icon } from '../kit/icons.js';
import { isCaller, takeRole } from '../kit/role.js';
import { themeButton } from '../kit/theme.js';
import { startTicking, timeLeft } from '../kit/ticker.js';
import { askForKey } from './key-dialog.js';
import { addShortcuts, listenForShortcuts, showHelp } from './shortcuts.js';
import { startStatusLine } from './status-line.js';

const STATES = {
  connecting: 'Connecting',
  live: 'Updating',
  waiting: 'Reconnecting',
  paused: 'Paused',
  off: 'Paused',
  locked: 'No key',
};

/** The page about the key in use. */
const OWN_PAGE = '/dashboard/own';

const PAGES = [
  ['/dashboard', 'Overview'],
  ['/dashboard/logs', 'Logs'],
  ['/dashboard/chat', 'Chat'],
  ['/dashboard/accounts', 'Accounts'],
  ['/dashboard/network', 'Network'],
  ['/dashboard/keys', 'Keys'],
  ['/dashboard/settings', 'Settings'],
];
const CALLERS_PAGES = [
  [OWN_PAGE, 'Your key'],
  ['/dashboard/logs', 'Logs'],
  ['/dashboard/chat', 'Chat'],
];

const live = h('span', { class: 'pill', id: 'live', role: 'status', hidden: true });
let liveState = 'connecting';
let isPaused = false;
const stale = h('div', { id: 'stale' });
let staleText = '';
const brand = h('a', { class: 'brand' });
const navigation = h('nav', { 'aria-label': 'Pages' });

/** Sets up the frame of a page: key prompt, navigation, theme, shortcuts, ticking times, connection notice. Call it first. */
export function startShell() {
  takeRole();
  promptForKeyWith(askForKey);
  const lock = h('button', { type: 'button', class: 'quiet icon', title: 'Forget the key' }, icon('lock'));
  lock.setAttribute('aria-label', 'Forget the key');
  lock.hidden = !hasKey();
  lock.addEventListener('click', () => {
    useKey('');
    location.reload();
  });
  const help = h(
    'button',
    { type: 'button', class: 'quiet icon', id: 'help-keys', title: 'Keyboard shortcuts (?)' },
    icon('keyboard'),
  );
  help.setAttribute('aria-label', 'Keyboard shortcuts');
  help.addEventListener('click', showHelp);
  byId('top').append(brand, navigation);
  drawPages();
  byId('top').append(h('div', { class: 'tools' }, startStatusLine(), live, help, themeButton(), lock));
  if (isCaller()) {
    void learnRole();
  }
  events.addEventListener('forbidden', () => void learnRole());
  byId('notices').after(stale);
  // The key may be entered after the page has loaded.
  connection.addEventListener('answered', () => (lock.hidden = !hasKey()));
  connection.addEventListener('down', showGone);
  connection.addEventListener('up', () => {
    byId('notices').replaceChildren();
  });
  let hadKey = hasKey();
  keyChanges.addEventListener('change', () => {
    // Nothing is known of another key.
    showRole('operator');
    // One that was forgotten in another tab is forgotten in all, with what it has shown.
    if (hadKey && !hasKey()) {
      location.reload();
    }
    hadKey = hasKey();
  });
  startTicking();
  listenForShortcuts();
}

/**
 * Loads the page anew once another key takes the place of its own: it may hold what only the former key's holder may see.
 * For pages on which nothing is written that would be lost.
 *
 * @returns {(secret: string) => void} takes a new secret of the same key into use
 */
export function reloadWithOtherKey() {
  let used = storedKey();
  keyChanges.addEventListener('change', () => {
    const former = used;
    used = storedKey();
    // Without a key, the page has waited for one.
    if (former !== null && used !== former) {
      location.reload();
    }
  });
  return (secret) => {
    used = secret;
    useKey(secret);
  };
}

/** Offers the pages that the key in use opens. Callers who come in at the front are shown to theirs. */
function drawPages() {
  const here = pathOfPage();
  const pages = isCaller() ? CALLERS_PAGES : PAGES;
  const [[home]] = pages;
  if (isCaller() && here === '/dashboard') {
    location.replace(home);
  }
  const image = h('img', { src: '/dashboard/assets/favicon.svg', alt: '', width: 24, height: 24 });
  brand.href = home;
  fill(brand, image, h('span', null, 'Chat Completion Gateway'));
  fill(
    navigation,
    pages.map(([href, name]) => h('a', { href, 'aria-current': href === here ? 'page' : null }, name)),
  );
}

function pathOfPage() {
  return location.pathname.replace(/\/+$/, '');
}

/** Learns the role of a key that was, or may be, a caller's. */
async function learnRole() {
  try {
    showRole((await getJson(OWN_KEY)).role);
  } catch {
    // The page itself says what is wrong.
  }
}

function showRole(role) {
  const wasCaller = isCaller();
  takeRole(role);
  if (isCaller() !== wasCaller) {
    if (isCaller() && !CALLERS_PAGES.some(([path]) => path === pathOfPage())) {
      // A page of operators may hold what was read with the former key.
      location.reload();
    } else {
      drawPages();
    }
  }
}

/** Shows the state of the live feed. */
export function showLiveState(state) {
  liveState = state;
  drawLive();
}

/** A pause is shown only while the feed is live: otherwise nothing arrives anyway. */
function drawLive() {
  const state = isPaused && liveState === 'live' ? 'paused' : liveState;
  live.hidden = false;
  live.dataset.state = state;
  live.textContent = STATES[state];
}

/**
 * Makes a button, and the key `p`, pause and resume the live records.
 *
 * @param {HTMLElement} button
 * @param {(isPaused: boolean) => void} onChange
 */
export function pauseButton(button, onChange) {
  const toggle = () => {
    isPaused = !isPaused;
    button.setAttribute('aria-pressed', String(isPaused));
    button.textContent = isPaused ? 'Resume' : 'Pause';
    onChange(isPaused);
    drawLive();
  };
  button.addEventListener('click', toggle);
  addShortcuts({ keys: ['p'], about: 'Pause, or go on', run: toggle });
}

/**
 * Shows above the page why its data could not be refreshed, or removes that notice.
 *
 * @param {{ status: number, message: string }} [error] undefined after a successful refresh; without a response (status 0)
 *   the connection notice is shown instead
 */
export function showStale(error) {
  const text = error && error.status > 0 ? `What you see may be old. ${error.message}` : '';
  if (staleText !== text) {
    staleText = text;
    const enter =
      error?.status === 401 &&
      h('button', { type: 'button', class: 'small', onclick: () => location.reload() }, 'Enter the key');
    fill(
      stale,
      text !== '' && h('div', { class: 'notice bad', role: 'alert' }, h('span', null, text), enter),
    );
  }
}

/**
 * Placeholder for content that failed to load, with a button to retry, or to enter a key that may see it. While it is shown,
 * what failed without an answer is tried again once the gateway is back.
 */
export function errorState(error, retry) {
  if (error.status === 401) {
    return problemState('The API key is needed', 'Nothing can be shown without it.', [
      'Enter the key',
      () => location.reload(),
    ]);
  }
  if (error.status === 403) {
    return problemState(
      'Another key is needed',
      error.message,
      ['Enter another key', enterAnother],
      h('a', { href: OWN_PAGE }, 'See what yours opens'),
    );
  }
  const state = problemState('This could not be loaded', error.message, retry && ['Try again', retry]);
  if (error.status === 0) {
    connection.addEventListener('up', () => state.isConnected && retry?.(), { once: true });
  }
  return state;
}

/** @param {readonly [label: string, act: () => void]} [button] */
function problemState(title, text, button, more) {
  return h(
    'div',
    { class: 'state', role: 'alert' },
    h('strong', null, title),
    h('p', null, text),
    button && h('button', { type: 'button', onclick: () => button[1]() }, button[0]),
    more,
  );
}

/** Without a key, the page asks for one. */
function enterAnother() {
  useKey('');
  location.reload();
}

/** Placeholder for an empty list. */
export function emptyState(title, ...text) {
  return h('div', { class: 'state' }, h('strong', null, title), h('p', null, ...text));
}

/** Placeholder for loading content. */
export function loadingState(lines = 5) {
  return h(
    'div',
    { class: 'skeleton', role: 'status', 'aria-label': 'Loading' },
    Array.from({ length: lines }, () => h('i', null)),
  );
}

function showGone() {
  const wait = Math.max(0, connection.retryAt - performance.now());
  fill(
    byId('notices'),
    h(
      'div',
      { class: 'notice bad', role: 'alert' },
      h('span', null, 'The gateway does not answer. What you see may be old.'),
      h('span', null, 'Next try in ', timeLeft(wait)),
      h('button', { type: 'button', class: 'small', onclick: () => void connection.retry() }, 'Try now'),
    ),
  );
}
