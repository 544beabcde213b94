/** @typedef {'ok' | 'warn' | 'bad' | 'info' | 'limit' | 'none'} Tone */

const OUTCOMES = {
  pending: 'info',
  ok: 'ok',
  client_error: 'warn',
  upstream_error: 'bad',
  rate_limited: 'limit',
  crashed: 'bad',
};

/** Tone of a request's outcome. */
export function outcomeTone(outcome) {
  return OUTCOMES[outcome] ?? 'none';
}

/** Tone of an attempt's outcome: `ok`, `cancelled`, `running`, or the code of a failure. */
export function attemptTone(outcome) {
  const tones = { ok: 'ok', running: 'info', rate_limited: 'limit', cancelled: 'none' };
  return tones[outcome] ?? 'bad';
}

/** Tone of an HTTP status; undefined without a response. */
export function statusTone(status) {
  if (status === undefined) {
    return 'none';
  }
  if (status === 429) {
    return 'limit';
  }
  return status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad';
}
