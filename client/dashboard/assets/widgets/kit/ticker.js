import { clockTime, countdown, duration, exact, relative } from '../../data/format.js';
import { serverNow } from '../../data/server-clock.js';
import { h } from './dom.js';

/** Until then a time of a list is relative. */
const RELATIVE_MS = 60_000;

/** A ticking relative time, with the exact one as its tooltip. @param {number} at Unix milliseconds */
export function timeAgo(at, props = {}) {
  return h(
    'time',
    {
      ...props,
      datetime: new Date(at).toISOString(),
      title: exact(at),
      'data-tick': 'ago',
      'data-at': at,
    },
    relative(at, serverNow()),
  );
}

/**
 * A time in a list, by which rows can be told apart and found again: relative within a minute, then that of the day.
 *
 * @param {number} at Unix milliseconds
 */
export function timeListed(at, props = {}) {
  const now = serverNow();
  return h(
    'time',
    {
      ...props,
      datetime: new Date(at).toISOString(),
      title: listedTitle(at, now),
      'data-tick': 'listed',
      'data-at': at,
    },
    listed(at, now),
  );
}

const listed = (at, now) => (Math.abs(now - at) < RELATIVE_MS ? relative(at, now) : clockTime(at, now));
const listedTitle = (at, now) => `${relative(at, now)}, ${exact(at)}`;

/** A ticking countdown. @param {number} ms milliseconds left */
export function timeLeft(ms, props = {}) {
  // Not by `performance.now()`, which stands still while a machine sleeps.
  const until = Date.now() + ms;
  return h('span', { ...props, role: 'timer', 'data-tick': 'left', 'data-at': until }, countdown(ms));
}

/** A ticking duration since a time of the gateway's clock. @param {number} at Unix milliseconds */
export function timeSince(at, props = {}) {
  const text = duration(elapsed(at));
  return h('span', { ...props, 'data-tick': 'since', 'data-at': at }, text);
}

/** Updates every ticking time once a second while the page is visible. */
export function startTicking() {
  setInterval(() => {
    if (!document.hidden) {
      tick();
    }
  }, 1000);
  document.addEventListener('visibilitychange', () => document.hidden || tick());
}

function tick() {
  for (const element of document.querySelectorAll('[data-tick]')) {
    const { tick: kind, at } = element.dataset;
    const text = TEXTS[kind](Number(at));
    if (element.textContent !== text) {
      element.textContent = text;
    }
    if (kind === 'listed') {
      element.title = listedTitle(Number(at), serverNow());
    }
  }
}

const TEXTS = {
  ago: (at) => relative(at, serverNow()),
  listed: (at) => listed(at, serverNow()),
  left: (until) => countdown(until - Date.now()),
  since: (at) => duration(elapsed(at)),
};

/** Elapsed milliseconds; whole seconds from the first second on, since jumping fractions cannot be read. */
function elapsed(at) {
  const ms = Math.max(0, serverNow() - at);
  return ms < 1000 ? ms : Math.floor(ms / 1000) * 1000;
}
