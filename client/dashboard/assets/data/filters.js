/**
 * Filters live in the address of a page, so that a view can be kept and shared. Empty ones are left out.
 *
 * @param {string} search as in `location.search`
 * @param {readonly string[]} names
 * @returns {Record<string, string>} by name, only those that are set
 */
export function readFilters(search, names) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(
    names.map((name) => [name, (query.get(name) ?? '').trim()]).filter(([, value]) => value !== ''),
  );
}

/** The query of a URL with its `?`; empty without filters. */
export function filterQuery(filters, more = {}) {
  const set = Object.entries({ ...filters, ...more }).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/** What the log says of an exchange that was given up on this side. */
export const CANCELLED = 'cancelled';

/** How a record ended. Exchanges do not carry it; the gateway finds it in the same way. */
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

/**
 * Whether an entry has a status: `429` and `4xx` are HTTP statuses, any other word is an outcome.
 *
 * @param {{ outcome?: string, status?: number }} entry
 * @param {string} wanted
 */
export function hasStatus(entry, wanted) {
  const { status } = entry;
  if (!/^\d/.test(wanted)) {
    return outcomeOf(entry) === wanted;
  }
  const text = String(status);
  return /xx$/i.test(wanted) ? text.length === 3 && text[0] === wanted[0] : text === wanted;
}

/**
 * Whether an entry fits filters; the text filter is left to the gateway, which knows the whole entry.
 *
 * @param {{ outcome?: string, status?: number, model?: string, account?: string }} entry
 */
export function fits(entry, { status, model, account }) {
  return (
    (status === undefined || hasStatus(entry, status)) &&
    (model === undefined || entry.model === model) &&
    (account === undefined || entry.account === account)
  );
}
