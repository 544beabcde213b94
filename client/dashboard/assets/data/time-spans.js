import { shortDay } from './format.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Hours of the local day that count as its evening. */
const EVENING = 17;

/** Spans of time in words, in the order of the filter. */
export const TIME_SPANS = {
  '15min': 'Last 15 minutes',
  hour: 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  today: 'Today',
  yesterday: 'Yesterday',
  'yesterday-evening': 'Yesterday evening',
  '7d': 'Last 7 days',
};

/**
 * Beginning and end of a span in Unix milliseconds; the end is missing where it is the present.
 *
 * @param {string} name
 * @param {number} now Unix milliseconds
 * @returns {{ from?: number, until?: number }} empty for a name that is not known
 */
export function timeSpan(name, now) {
  const last = (ms) => ({ from: now - ms });
  switch (name) {
    case '15min':
      return last(15 * MINUTE_MS);
    case 'hour':
      return last(HOUR_MS);
    case '6h':
      return last(6 * HOUR_MS);
    case '24h':
      return last(24 * HOUR_MS);
    case '7d':
      return last(7 * 24 * HOUR_MS);
    case 'today':
      return { from: localTime(now, 0, 0) };
    case 'yesterday':
      return { from: localTime(now, -1, 0), until: localTime(now, 0, 0) };
    case 'yesterday-evening':
      return { from: localTime(now, -1, EVENING), until: localTime(now, 0, 0) };
    default:
      return {};
  }
}

/** A whole hour of a local day; days of 23 or 25 hours are counted right. */
function localTime(now, days, hour) {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour).getTime();
}

/** A span as text, in local time: `22 Nov 11:05 – 11:10`. */
export function spanText({ from, until }) {
  const time = (at) =>
    new Date(at).toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      second: at % MINUTE_MS ? '2-digit' : undefined,
    });
  const whole = (at) => `${shortDay(at)} ${time(at)}`;
  if (from === undefined) {
    return until === undefined ? '' : `before ${whole(until)}`;
  }
  if (until === undefined) {
    return `since ${whole(from)}`;
  }
  return `${whole(from)} – ${shortDay(from) === shortDay(until) ? time(until) : whole(until)}`;
}
