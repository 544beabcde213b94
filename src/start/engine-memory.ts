import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** By which the heap may grow between two collections of all of it, over what was left by the last. */
const GROWTH_PERCENT = 50;
/** A heap that may not become larger grows by less anyway. */
const LARGE_HEAP_BYTES = 768 * 2 ** 20;
/** Collections for which the engine keeps the shape of objects of which none is left; far more than a pause has. */
const SHAPES_KEPT_FOR = 100;
/** What is set while the process runs, and Node's own defaults. */
const FLAGS = [
  ['--no-maglev-destroy-on-background', '--maglev-destroy-on-background'],
  ['--no-memory-reducer-favors-memory', '--memory-reducer-favors-memory'],
  [`--retain-maps-for-n-gc=${SHAPES_KEPT_FOR}`, '--retain-maps-for-n-gc=2'],
] as const;
const GROWTH_FLAGS = [`--heap-growing-percent=${GROWTH_PERCENT}`, '--heap-growing-percent=0'] as const;

/**
 * Has the engine hold less memory that nothing refers to, and keep its compiled code over a pause.
 *
 * - The jobs of its compilers are freed at once. In the background, which is its default, that waits for other work there:
 *   after the first thousands of requests, 65 MiB were left that were never given back.
 * - It collects before the heap has grown fourfold, its default on a large machine: what a stream of a second leaves is
 *   old by then, and was 50 MiB with a hundred streams.
 * - A process at rest is collected without the shapes of objects going. Code compiled for them goes with them, and while no
 *   request runs, none of its objects is left: the first thousands of requests after a pause of two minutes cost two and a
 *   half times as much.
 *
 * To be called after the start: flags are part of what compiled code is kept for. So those of the start hold again when the
 * process exits, which is when Node keeps it.
 */
export function limitEngineMemory(): void {
  const isLarge = getHeapStatistics().heap_size_limit > LARGE_HEAP_BYTES;
  const flags = isLarge ? [...FLAGS, GROWTH_FLAGS] : FLAGS;
  flags.forEach(([ours]) => setFlagsFromString(ours));
  process.once('exit', () => flags.forEach(([, usual]) => setFlagsFromString(usual)));
}
