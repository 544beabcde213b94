/** A visible tab says hello to the shared worker this often, and is answered. */
export const BEAT_MS = 10_000;
/** Time-out of a silent peer: a tab that crashed, whose farewell was lost, or a worker that never started. */
export const GONE_MS = 35_000;
