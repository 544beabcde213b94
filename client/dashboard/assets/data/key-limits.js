import { capital, count, plural, utcDay } from './format.js';

/** From this share of a limit on, a key is close to it. */
const CLOSE = 0.8;

/** The limits: name, unit of one, and the rest of the sentence. */
const LIMITS = [
  ['requestsPerMinute', 'request', 'a minute'],
  ['concurrentRequests', 'request', 'at once'],
  ['tokensPerDay', 'token', 'a day'],
];

/** Labels of the limits, e.g. "Requests a minute", by their names. */
export const LIMIT_LABELS = LIMITS.map(([name, unit, per]) => [name, capital(`${unit}s ${per}`)]);

/**
 * What a key has used of each limit that it has.
 *
 * @param {any} key of `/dashboard/api/keys` or `/dashboard/api/own-key`
 * @param {{ usedToday: number, isDivided: boolean }} more `usedToday`: tokens, on all gateways; `isDivided`: whether there are others
 */
export function limitsInUse(key, { usedToday, isDivided }) {
  return LIMITS.filter(([name]) => key[name] !== null).map(([name, unit, per]) => {
    const limit = key[name];
    const isOfToday = name === 'tokensPerDay';
    // What is set aside for answers under way is not in the log yet.
    const used = isOfToday ? Math.max(key.inUse[name], usedToday) : key.inUse[name];
    const here = isDivided && !isOfToday ? ' here' : '';
    const text = `${count(used)}${here} of ${plural(limit, unit)} ${per}`;
    return { name, text, used, limit, isClose: used >= CLOSE * limit, isUsedUp: used >= limit };
  });
}

/** Tokens of the day of `now` by key, in UTC as the limits count. @param {readonly any[]} rows of `/dashboard/api/usage` */
export function tokensToday(rows, now) {
  const today = utcDay(now);
  const tokens = new Map();
  for (const { day, key, promptTokens, completionTokens } of rows) {
    if (day === today) {
      tokens.set(key, (tokens.get(key) ?? 0) + promptTokens + completionTokens);
    }
  }
  return tokens;
}
