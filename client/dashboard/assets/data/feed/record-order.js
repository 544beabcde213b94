/** Newest first. */
export function byNewest(a, b) {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
}

/** Slowest first; those that are still running last, the one that runs the longest first. */
export function bySlowest(a, b) {
  const isRunning = a.totalMs === undefined;
  return (b.totalMs ?? -1) - (a.totalMs ?? -1) || (isRunning ? byNewest(b, a) : byNewest(a, b));
}

/** Most tokens of prompt and answer first. */
export function byLargest(a, b) {
  return tokensOf(b) - tokensOf(a) || byNewest(a, b);
}

/** Those first that waited the longest for sessions; those that asked for none last, the oldest of them first. */
export function byWait(a, b) {
  const hasNone = a.queuedMs === undefined;
  return (b.queuedMs ?? -1) - (a.queuedMs ?? -1) || (hasNone ? byNewest(b, a) : byNewest(a, b));
}

/** The order of a list by the filter `sort`, without which the newest come first. */
export const RANKINGS = { slowest: bySlowest, largest: byLargest, waited: byWait };

function tokensOf({ usage }) {
  return usage ? usage.promptTokens + usage.completionTokens : 0;
}

/**
 * Whether a record has something new to tell. Its end supersedes its beginning, in whichever order they arrive; one that is
 * the same must not be drawn again.
 */
export function isNewer(record, old) {
  return (isEnded(record) || !isEnded(old)) && JSON.stringify(record) !== JSON.stringify(old);
}

function isEnded({ outcome, totalMs }) {
  return outcome === undefined ? totalMs !== undefined : outcome !== 'pending';
}
