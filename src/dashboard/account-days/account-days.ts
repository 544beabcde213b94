import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { DAY_MS } from '../../common/time/durations.js';
import { type UsageRow } from '../../logs/records/usage.js';

/** How the requests of an account ended, by day. */
export interface AccountDays {
  /** Name of the account, which may be there no more. */
  readonly account: string;
  readonly served: readonly number[];
  /** Refused, failed, cancelled or cut off. */
  readonly failed: readonly number[];
}

/** The days up to the present one in UTC, the oldest first, e.g. `2026-05-31`. @param now Unix milliseconds */
export function daysUpTo(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(now - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Adds up the usage of keys and models by account; requests that met no account are left out. */
export function accountDays(
  rows: readonly Pick<UsageRow, 'day' | 'account' | 'requests' | 'errors'>[],
  days: readonly string[],
): AccountDays[] {
  const none = (): number[] => days.map(() => 0);
  const sums = new Map<string, { readonly served: number[]; readonly failed: number[] }>();
  for (const { day, account, requests, errors } of rows) {
    const at = days.indexOf(day);
    if (at < 0 || account === '') {
      continue;
    }
    const sum = getOrInsert(sums, account, () => ({ served: none(), failed: none() }));
    sum.served[at]! += requests - errors;
    sum.failed[at]! += errors;
  }
  return [...sums].map(([account, figures]) => ({ account, ...figures }));
}
