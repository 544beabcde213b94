const NODE_OPTIONS = [
  // The embedded store is a part of Node that still announces itself as new.
  '--disable-warning=ExperimentalWarning',
  // A half of the young generation, in MiB: of Node's own 32 a gateway has nothing but 80 MiB more at a peak.
  '--max-semi-space-size=16',
];

/** Heaps of the C library, which makes up to eight a core by itself and gives little of them back (mallopt(3)). */
const MALLOC_ARENA_MAX = '2';

/**
 * Environment of a gateway's process, beside its settings.
 * @param own that of the person who starts it, whose options come last, and so win
 */
export function processEnvironment(own = process.env) {
  return {
    NODE_OPTIONS: [...NODE_OPTIONS, own.NODE_OPTIONS ?? ''].join(' ').trim(),
    MALLOC_ARENA_MAX: own.MALLOC_ARENA_MAX ?? MALLOC_ARENA_MAX,
  };
}
