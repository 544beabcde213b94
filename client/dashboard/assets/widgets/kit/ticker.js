import { countdown, duration, exact, relative } from '../../data/format.js';
import { h } from './dom.js';

/** How far the gateway's clock is ahead of this machine's, in milliseconds. */
let aheadMs = 0;

/** Takes the gateway's clock over from the `Date` of a response, which counts whole seconds. */
export function noteServerTime(date) {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) {
    const ahead = at + 500 - Date.now();
    aheadMs = Math.abs(ahead) < 2000 ? 0 : ahead;
  }
}

/** The gateway's time, in Unix milliseconds. */
export function serverNow() {
  return Date.now() + aheadMs;
}

/** A moment told relative to now, with the exact time on hover. */
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

/** Counts down the milliseconds that are left from now on. */
export function timeLeft(ms, props = {}) {
  const until = performance.now() + ms;
  return h('span', { ...props, role: 'timer', 'data-tick': 'left', 'data-at': until }, countdown(ms));
}

/** How long something has been going on that began at a moment of the gateway's clock. */
export function timeSince(at, props = {}) {
  const text = duration(elapsed(at));
  return h('span', { ...props, 'data-tick': 'since', 'data-at': at }, text);
}

/** Lets every time on the page go on, once a second. */
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
    const text = TEXTS[element.dataset.tick](Number(element.dataset.at));
    if (element.textContent !== text) {
      element.textContent = text;
    }
  }
}

const TEXTS = {
  ago: (at) => relative(at, serverNow()),
  left: (until) => countdown(until - performance.now()),
  since: (at) => duration(elapsed(at)),
};

/** In whole seconds from the first second on: nobody reads fractions that jump. */
function elapsed(at) {
  const ms = Math.max(0, serverNow() - at);
  return ms < 1000 ? ms : Math.floor(ms / 1000) * 1000;
}
