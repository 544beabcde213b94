import { getJson } from './api.js';
import { filterQuery, hasStatus } from './filters.js';

const MAX_RUNNING = 20;
/** Steps of a search for the latest records. The gateway ends each within a second, whether it has found anything or not. */
const MAX_STEPS = 3;

/**
 * Fetches one record of the log, by its time: a search for its id would have to go through all texts since.
 *
 * @param {'request' | 'network'} kind
 * @param {{ id: string, startedAt: number }} record
 * @param {{ content?: 0 }} [more] `content: 0` leaves texts and bodies out
 * @returns {Promise<any>} undefined if it is not kept any more
 */
export async function fetchRecord(kind, { id, startedAt }, more = {}) {
  const query = { kind, from: startedAt, until: startedAt + 1, limit: 500, ...more };
  const { entries } = await getJson(`/log/json${filterQuery(query)}`);
  return entries.find((entry) => entry.id === id);
}

/** Fetches a request of the log with its exchanges. */
export function fetchRequest(id) {
  return getJson(`/dashboard/api/requests/${encodeURIComponent(id)}`);
}

/** The first 20 of the running ones among some records, as they are now, without texts; those that cannot be had are left out. */
export async function fetchRunning(kind, records) {
  const running = records.filter((record) => hasStatus(record, 'pending')).slice(0, MAX_RUNNING);
  const found = running.map((record) => fetchRecord(kind, record, { content: 0 }).catch(() => undefined));
  return (await Promise.all(found)).filter((record) => record !== undefined);
}

/**
 * Those of some records that are still running, the latest 50, as they are now, without texts; none if they cannot be had.
 * One request, since each makes the gateway store whatever runs.
 */
export async function fetchStillRunning(kind, records) {
  const times = records.filter((record) => hasStatus(record, 'pending')).map(({ startedAt }) => startedAt);
  if (times.length === 0) {
    return [];
  }
  const span = { from: Math.min(...times), until: Math.max(...times) + 1 };
  const query = filterQuery({ kind, status: 'pending', ...span, limit: 50, content: 0 });
  const { entries } = await getJson(`/log/json${query}`).catch(() => ({ entries: [] }));
  return entries;
}

/**
 * The latest requests that meet some filters, without texts, as far back as a few steps of a search reach.
 *
 * @param {Record<string, string>} filters
 * @param {{ count: number, signal: AbortSignal }} options
 * @returns {Promise<{ entries: any[], isWhole: boolean }>} `isWhole`: that many were found, or the whole log was searched
 */
export async function fetchLatest(filters, { count, signal }) {
  const entries = [];
  let before;
  for (let step = 0; step < MAX_STEPS && entries.length < count && before !== null; step++) {
    const query = filterQuery(filters, { limit: count - entries.length, content: 0, before });
    const page = await getJson(`/log/json${query}`, { signal });
    entries.push(...page.entries);
    before = page.next;
  }
  return { entries, isWhole: entries.length === count || before === null };
}
