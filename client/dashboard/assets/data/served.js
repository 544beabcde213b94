/**
 * Success rates of requests, from the totals of `/dashboard/api/overview`. Requests that the caller made wrong (4xx), made
 * beyond the limits of its key, or left, count as no fault of the gateway; those that the limits of the accounts refused do.
 *
 * @param {{ ok: number, errors: number, clientErrors: number, rateLimited: number, keyLimited: number,
 *   cancelled: number }} totals
 * @returns {{ share?: number, ofAll?: number, tone: '' | 'warn' | 'bad' }} `share`: of those that could be served; `ofAll`:
 *   of all that have ended; both from 0 to 1, and undefined of none
 */
export function servedShares({ ok, errors, clientErrors, rateLimited, keyLimited, cancelled }) {
  const served = ok + errors - clientErrors + rateLimited - keyLimited;
  const ended = ok + errors + rateLimited + cancelled;
  const share = served > 0 ? ok / served : undefined;
  return { share, ofAll: ended > 0 ? ok / ended : undefined, tone: toneOf(share) };
}

/** Below these shares an operator should look. */
function toneOf(share = 1) {
  if (share >= 0.95) {
    return '';
  }
  return share < 0.8 ? 'bad' : 'warn';
}

/** Of the number of errors: whether there are any, and through no fault of their callers. @returns {'' | 'warn' | 'bad'} */
export function errorTone({ errors, clientErrors }) {
  if (errors > clientErrors) {
    return 'bad';
  }
  return errors > 0 ? 'warn' : '';
}
