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

/**
 * Bars of exchanges on one scale: as a waterfall for those of one request, otherwise all from the left, since they may be
 * hours apart, and on a logarithmic scale, since one that takes minutes would make slivers of all others.
 *
 * @param {readonly { id: string, startedAt: number, firstByteMs?: number, totalMs?: number, error?: string }[]} records
 * @param {{ asWaterfall: boolean, now: number }} options `now`: Unix milliseconds, the end of running ones
 * @returns {Map<string, Bar>} by id
 */
export function timingBars(records, { asWaterfall, now }) {
  const first = Math.min(...records.map(({ startedAt }) => startedAt));
  const spans = records.map((record) => {
    const untilNow = Math.max(0, now - record.startedAt);
    const totalMs = record.totalMs ?? (isUnderWay(record) ? untilNow : (record.firstByteMs ?? 0));
    const waitedMs = Math.min(record.firstByteMs ?? totalMs, totalMs);
    return { id: record.id, startMs: asWaterfall ? record.startedAt - first : 0, waitedMs, totalMs };
  });
  const lengthMs = Math.max(1, ...spans.map(({ startMs, totalMs }) => startMs + totalMs));
  const share = asWaterfall
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
