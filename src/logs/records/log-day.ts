import { DAY_MS } from '../../common/time/durations.js';

/** Microseconds of a day; a record's number is its time in microseconds, or slightly above. */
export const DAY_US = DAY_MS * 1000;

/** Day of a record, counted from 1970. */
export function logDayOf(seq: number): number {
  return Math.floor(seq / DAY_US);
}
