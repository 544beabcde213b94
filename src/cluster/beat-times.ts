const BEAT_MS = 1000;
/** A lease has room for so many beats. */
const BEATS_PER_LEASE = 5;

/** Longest time between two beats, in milliseconds. @param leaseMs `NODE_LEASE_MS` */
export function beatPauseMs(leaseMs: number): number {
  return Math.min(BEAT_MS, beatLimitMs(leaseMs));
}

/** Time limit of one beat, in milliseconds. @param leaseMs `NODE_LEASE_MS` */
export function beatLimitMs(leaseMs: number): number {
  return leaseMs / BEATS_PER_LEASE;
}
