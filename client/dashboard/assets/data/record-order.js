/** Newest first. */
export function byNewest(a, b) {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
}

/** Slowest first; those that are still running last. */
export function bySlowest(a, b) {
  return (b.totalMs ?? 0) - (a.totalMs ?? 0) || byNewest(a, b);
}

/** The end of a record supersedes its beginning, in whichever order they arrive. */
export function isNewer(record, old) {
  return isEnded(record) || !isEnded(old);
}

function isEnded({ outcome, totalMs }) {
  return outcome === undefined ? totalMs !== undefined : outcome !== 'pending';
}
