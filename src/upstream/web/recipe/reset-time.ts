import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../common/time/durations.js';
import { type ResetRule } from './recipe-signs.js';

type Unit = ResetRule['unit'];

const MAX_WAIT_MS = 7 * DAY_MS;
const MS_PER_UNIT: Readonly<Record<Exclude<Unit, 'date'>, number>> = {
  milliseconds: 1,
  seconds: SECOND_MS,
  minutes: MINUTE_MS,
  unixSeconds: SECOND_MS,
  unixMilliseconds: 1,
};

/**
 * Remaining time of a limit in ms, read from the site's value: a number, a date, or a text with a number in it.
 * Undefined if that gives no time from 0 to 7 days.
 * @param now wall-clock ms
 */
export function resetAfterMs(value: unknown, unit: Unit, now: number): number | undefined {
  const wait = unit === 'date' ? dateOf(value) - now : numericWait(value, unit, now);
  return wait >= 0 && wait <= MAX_WAIT_MS ? Math.ceil(wait) : undefined;
}

function numericWait(value: unknown, unit: Exclude<Unit, 'date'>, now: number): number {
  const isMoment = unit === 'unixSeconds' || unit === 'unixMilliseconds';
  return numberOf(value) * MS_PER_UNIT[unit] - (isMoment ? now : 0);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') {
    return value;
  }
  const digits = typeof value === 'string' ? /\d{1,16}(?:\.\d{1,6})?/.exec(value)?.[0] : undefined;
  return Number(digits ?? NaN);
}

function dateOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : NaN;
}
