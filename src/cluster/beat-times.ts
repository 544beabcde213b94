const BEAT_MS = 1000;
/** A lease has room for so many beats. */
const BEATS_PER_LEASE = 5;
/** Shortest time between two beats, whatever is heard meanwhile. */
export const MIN_BEAT_MS = 50;
/** Delay of the look for another node's shares after their end, if it did not renew them. */
const AFTER_END_MS = 10;
/** Nodes that start together spread their beats by up to this share. */
const BEAT_JITTER_SHARE = 0.1;

/** Longest time between two beats, in milliseconds. @param nodeLeaseMs `NODE_LEASE_MS` */
export function beatPauseMs(nodeLeaseMs: number): number {
  return Math.min(BEAT_MS, beatLimitMs(nodeLeaseMs));
}

/** Time limit of one beat, in milliseconds. @param nodeLeaseMs `NODE_LEASE_MS` */
export function beatLimitMs(nodeLeaseMs: number): number {
  return nodeLeaseMs / BEATS_PER_LEASE;
}

/**
 * Time from one beat to the next, in milliseconds: less where another node seems to end.
 * @param nodeLeaseMs `NODE_LEASE_MS`
 * @param chance from 0 to 1, for the jitter
 * @param nextEndMs see `BeatAnswer`
 */
export function beatRestMs(nodeLeaseMs: number, chance: number, nextEndMs = Infinity): number {
  const jittered = beatPauseMs(nodeLeaseMs) * (1 + BEAT_JITTER_SHARE * (chance - 0.5));
  return Math.min(jittered, nextEndMs + AFTER_END_MS);
}
