const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Placeholder for an unknown value. */
export const NONE = '–';

const NUMBER = new Intl.NumberFormat('en');
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** @param {number | undefined} ms milliseconds */
export function duration(ms) {
  if (ms === undefined || ms === null) {
    return NONE;
  }
  if (ms < SECOND) {
    return ms > 0 && ms < 1 ? '<1 ms' : `${Math.round(ms)} ms`;
  }
  if (ms < MINUTE - 50) {
    return ms < 10 * SECOND ? `${trimmed(ms / SECOND, 2)} s` : `${trimmed(ms / SECOND, 1)} s`;
  }
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3600) {
    return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  }
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 48 * 60) {
    return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  }
  const hours = Math.round(ms / HOUR);
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** Share of the prompts' tokens that the upstream had kept, e.g. `62 %`; empty without any. */
export function cachedShare({ promptTokens, cachedTokens }) {
  // Some upstreams count them beside those of the prompt.
  return cachedTokens > 0 ? percent(Math.min(1, cachedTokens / promptTokens)) : '';
}

/** Remaining time as a clock: `1:59`, `2:00:00`, or days from one day on. Whole seconds, rounded up. */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  if (seconds >= DAY / SECOND) {
    return duration(seconds * SECOND);
  }
  const two = (value) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Distance of a time from `now`, e.g. `5 s ago`, `in 2 min`; both are Unix milliseconds. */
export function relative(at, now) {
  const ms = now - at;
  if (Math.abs(ms) < 2 * SECOND) {
    return 'just now';
  }
  return ms > 0 ? `${coarse(ms)} ago` : `in ${coarse(-ms)}`;
}

function coarse(ms) {
  if (ms < MINUTE) {
    return `${Math.floor(ms / SECOND)} s`;
  }
  if (ms < HOUR) {
    return `${Math.floor(ms / MINUTE)} min`;
  }
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`;
}

/** Local day without its year: `31 Jan`. */
export function shortDay(at) {
  return SHORT_DAY.format(at);
}

/** Local time of the day, e.g. `09:05:07`; with the day where that is not the one of `now`, e.g. `31 Jan 09:05:07`. */
export function clockTime(at, now) {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB');
  return date.toDateString() === new Date(now).toDateString() ? time : `${shortDay(at)} ${time}`;
}

/** Day in UTC, as usage is counted and keys expire: `2030-01-31`. */
export function utcDay(at) {
  return new Date(at).toISOString().slice(0, 10);
}

/** Local time to the millisecond: `2030-01-31 09:05:07.123 +01:00`. */
export function exact(at) {
  const date = new Date(at);
  const two = (value, digits = 2) => String(value).padStart(digits, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${two(date.getMilliseconds(), 3)} ${zoneOffset(at)}`;
}

/** How far local time is ahead of UTC: `+01:00`. */
export function zoneOffset(at) {
  const minutes = -new Date(at).getTimezoneOffset();
  const two = (value) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

export function count(value) {
  return value === undefined || value === null ? NONE : NUMBER.format(value);
}

/** Compact number: `950`, `12.3K`. */
export function compact(value) {
  return value === undefined || value === null ? NONE : COMPACT.format(value);
}

/** `1 request`, `2 requests`; the plural has an s unless given. */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** With a capital at its beginning. */
export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

export function bytes(value) {
  if (value === undefined || value === null) {
    return NONE;
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${trimmed(rest, rest < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** A share from 0 to 1 as a percentage; never rounded up to 100 % or down to 0 %. */
export function percent(share) {
  if (share === undefined || Number.isNaN(share)) {
    return NONE;
  }
  const rounded = share > 0.99 ? Math.floor(share * 1000) / 10 : Math.round(share * 1000) / 10;
  return `${share > 0 ? Math.max(0.1, rounded) : 0} %`;
}

function trimmed(value, digits) {
  return String(Number(value.toFixed(digits)));
}

function pair(big, bigUnit, small, smallUnit) {
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}
