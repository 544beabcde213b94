/**
 * Position and lengths of an exchange's bar, as shares of the whole width.
 *
 * @typedef {{ start: number, waited: number, received: number }} Bar `waited`: until the response headers;
 *   `received`: from there to the end
 */

/**
 * Whether an exchange is running. One cut off by the death of the gateway has an error, but no duration.
 *
 * @param {{ totalMs?: number, error?: string }} record
 */
export function isUnderWay({ totalMs, error }) {
  return totalMs === undefined && error === undefined;
}

/** The time that a request took, or has taken so far: the scale of its exchanges. @param {number} now Unix milliseconds */
export function requestSpan({ startedAt, totalMs, outcome }, now) {
  return { from: startedAt, lengthMs: totalMs ?? (outcome === 'pending' ? now - startedAt : 0) };
}

/**
 * Bars of exchanges on one scale: as a waterfall for those of one request, otherwise all from the left, since they may be
 * hours apart, and on a logarithmic scale, since one that takes minutes would make slivers of all others.
 *
 * @param {readonly { id: string, startedAt: number, firstByteMs?: number, totalMs?: number, error?: string }[]} records
 * @param {{ waterfall?: { from: number, lengthMs: number }, now: number }} options `waterfall`: when the request began, and
 *   how long it took at least; `now`: the end of running ones, in Unix milliseconds as `from`
 * @returns {Map<string, Bar>} by id
 */
export function timingBars(records, { waterfall, now }) {
  const spans = records.map((record) => {
    const untilNow = Math.max(0, now - record.startedAt);
    const totalMs = record.totalMs ?? (isUnderWay(record) ? untilNow : (record.firstByteMs ?? 0));
    const waitedMs = Math.min(record.firstByteMs ?? totalMs, totalMs);
    const startMs = waterfall ? Math.max(0, record.startedAt - waterfall.from) : 0;
    return { id: record.id, startMs, waitedMs, totalMs };
  });
  const lengthMs = Math.max(
    1,
    waterfall?.lengthMs ?? 0,
    ...spans.map(({ startMs, totalMs }) => startMs + totalMs),
  );
  const share = waterfall
    ? (ms) => ms / lengthMs
    : (ms) => Math.log1p(ms / LOG_BASE_MS) / Math.log1p(lengthMs / LOG_BASE_MS);
  return new Map(
    spans.map(({ id, startMs, waitedMs, totalMs }) => [
      id,
      {
        start: share(startMs),
        waited: share(startMs + waitedMs) - share(startMs),
        received: share(startMs + totalMs) - share(startMs + waitedMs),
      },
    ]),
  );
}

/** Up to about this duration the logarithmic scale is even. */
const LOG_BASE_MS = 10;
