/** @typedef {'ok' | 'warn' | 'bad' | 'info' | 'limit' | 'none'} Tone */

const OUTCOMES = {
  pending: 'info',
  ok: 'ok',
  client_error: 'warn',
  upstream_error: 'bad',
  rate_limited: 'limit',
  crashed: 'bad',
};

/** How a request ended. */
export function outcomeTone(outcome) {
  return OUTCOMES[outcome] ?? 'none';
}

/** An attempt's outcome is `ok`, `cancelled`, `running`, or the short word of a failure. */
export function attemptTone(outcome) {
  const tones = { ok: 'ok', running: 'info', rate_limited: 'limit', cancelled: 'none' };
  return tones[outcome] ?? 'bad';
}

/** An HTTP status; undefined while there is none. */
export function statusTone(status) {
  if (status === undefined) {
    return 'none';
  }
  if (status === 429) {
    return 'limit';
  }
  return status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad';
}
