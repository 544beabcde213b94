/**
 * Groups requests by conversation: each stands with the next newer one of its conversation that it leads to. Requests
 * without a conversation stand alone.
 *
 * @template {{ conversation?: string, turn?: number, outcome?: string }} Entry
 * @param {readonly Entry[]} entries newest first
 * @returns {Entry[][]} groups in the order of their newest entry, each newest first
 */
export function groupTurns(entries) {
  const groups = [];
  /** The latest group of each conversation. */
  const latest = new Map();
  for (const entry of entries) {
    const group = latest.get(entry.conversation);
    if (group && leadsTo(entry, group.at(-1))) {
      group.push(entry);
    } else {
      const alone = [entry];
      groups.push(alone);
      if (entry.conversation !== undefined) {
        latest.set(entry.conversation, alone);
      }
    }
  }
  return groups;
}

/** Number of those that failed or were refused. */
export function countFailed(entries) {
  return entries.filter(({ outcome }) => !['ok', 'pending', 'cancelled'].includes(outcome)).length;
}

/** A turn that failed is often tried again. Others of the same turn are questions after the same examples. */
function leadsTo(older, newer) {
  return older.turn < newer.turn || (older.turn === newer.turn && !['ok', 'pending'].includes(older.outcome));
}
