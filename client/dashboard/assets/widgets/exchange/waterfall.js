/**
 * Where the bar of an exchange stands, as shares of the whole width.
 *
 * @typedef {{ start: number, waited: number, received: number }} Bar `waited`: until the response's headers;
 *   `received`: from then to its end
 */

/**
 * Whether an exchange goes on. One that the end of the gateway cut off has an error, and nobody knows how long it took.
 *
 * @param {{ totalMs?: number, error?: string }} record
 */
export function isUnderWay({ totalMs, error }) {
  return totalMs === undefined && error === undefined;
}

/**
 * Bars for exchanges. Together they share one scale: those of one request as a waterfall from its first start, others
 * from the left, since they may lie hours apart.
 *
 * @param {readonly { id: string, startedAt: number, firstByteMs?: number, totalMs?: number, error?: string }[]} records
 * @param {{ asWaterfall: boolean, now: number }} options `now`: Unix milliseconds, the end of those still under way
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
  return new Map(
    spans.map(({ id, startMs, waitedMs, totalMs }) => [
      id,
      {
        start: startMs / lengthMs,
        waited: waitedMs / lengthMs,
        received: (totalMs - waitedMs) / lengthMs,
      },
    ]),
  );
}
