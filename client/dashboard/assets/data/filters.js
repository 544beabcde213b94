import { serverNow } from './server-clock.js';
import { timeSpan } from './time-spans.js';

/**
 * Reads filters from the query of a page's URL, where they can be bookmarked and shared.
 *
 * @param {string} search as in `location.search`
 * @param {readonly string[]} names
 * @returns {Record<string, string>} non-empty filters by name
 */
export function readFilters(search, names) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(
    names.map((name) => [name, (query.get(name) ?? '').trim()]).filter(([, value]) => value !== ''),
  );
}

/** Query string with its `?`; empty without filters. */
export function filterQuery(filters, more = {}) {
  const set = Object.entries({ ...filters, ...more }).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/**
 * Filters in the form of the gateway's query: a span in words becomes times.
 *
 * @param {Record<string, string>} filters
 * @param {number} now Unix milliseconds
 */
export function toLogQuery({ time, from, until, ...others }, now) {
  const span = timeSpan(time, now);
  return { ...others, from: from ?? span.from, until: until ?? span.until };
}

/** Filters of the requests that the overview counts. */
export const COUNTED = { operation: 'completion' };

/** `error` of an exchange that the gateway gave up. */
export const CANCELLED = 'cancelled';

/** Outcome of a record; that of an exchange is derived by the same rules as in the gateway. */
function outcomeOf({ kind, outcome, status, error, totalMs }) {
  if (kind !== 'network') {
    return outcome;
  }
  if (totalMs === undefined) {
    return 'pending';
  }
  if (error !== undefined || status === undefined) {
    return error === CANCELLED ? 'cancelled' : 'upstream_error';
  }
  const kinds = [
    [400, 'ok'],
    [429, 'client_error'],
    [430, 'rate_limited'],
    [500, 'client_error'],
  ];
  return kinds.find(([limit]) => status < limit)?.[1] ?? 'upstream_error';
}

/** Outcomes of requests that count by their reason. */
const OUTCOMES_WITH_REASON = ['client_error', 'upstream_error', 'rate_limited', 'shutdown'];

/** Outcomes that the overview counts as errors. */
const ERROR_OUTCOMES = ['client_error', 'upstream_error', 'shutdown', 'crashed'];

/**
 * Whether an entry has a status: an HTTP status (`429`), a class (`4xx`) or an outcome.
 *
 * @param {{ outcome?: string, status?: number }} entry
 * @param {string} wanted
 */
export function hasStatus(entry, wanted) {
  const { status } = entry;
  if (wanted === 'failed') {
    return ERROR_OUTCOMES.includes(outcomeOf(entry));
  }
  if (!/^\d/.test(wanted)) {
    return outcomeOf(entry) === wanted;
  }
  const text = String(status);
  return /xx$/i.test(wanted) ? text.length === 3 && text[0] === wanted[0] : text === wanted;
}

/**
 * Whether an entry meets the filters, by the rules of the gateway's `toCondition`. The text filter is ignored: only the gateway has the whole entry.
 *
 * @param {any} entry
 * @param {any} query of `toLogQuery`
 */
export function fits(entry, query) {
  const {
    status,
    model,
    account,
    node,
    key,
    served,
    operation,
    conversation,
    reason,
    client,
    min_ms: minMs,
    from,
    until,
  } = query;
  return (
    (status === undefined || hasStatus(entry, status)) &&
    (model === undefined || entry.model === model) &&
    (account === undefined || entry.account === account) &&
    (node === undefined || entry.node === node) &&
    (key === undefined || entry.key === key) &&
    (served === undefined || entry.requestId !== undefined) &&
    (operation === undefined || entry.operation === operation) &&
    (conversation === undefined || entry.conversation === conversation) &&
    (reason === undefined ||
      (entry.error?.reason === reason && OUTCOMES_WITH_REASON.includes(entry.outcome))) &&
    (client === undefined || (entry.client ?? '').startsWith(client)) &&
    (minMs === undefined || (entry.totalMs ?? serverNow() - entry.startedAt) >= Number(minMs)) &&
    (from === undefined || entry.startedAt >= Number(from)) &&
    (until === undefined || entry.startedAt < Number(until))
  );
}
