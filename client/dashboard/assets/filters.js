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

/** Whether a status is one of those that `200`, `4xx` and the like stand for. */
export function isStatusIn(status, range) {
  return /^\dxx$/i.test(range) ? String(status)[0] === range[0] && status >= 100 : String(status) === range;
}

/**
 * Whether an entry fits filters; the text filter is left to the gateway, which knows the whole entry.
 *
 * @param {{ outcome?: string, status?: number, model?: string, account?: string }} entry
 */
export function fits(entry, { outcome, status, model, account }) {
  return (
    (outcome === undefined || entry.outcome === outcome) &&
    (status === undefined || isStatusIn(entry.status, status)) &&
    (model === undefined || entry.model === model) &&
    (account === undefined || entry.account === account)
  );
}
