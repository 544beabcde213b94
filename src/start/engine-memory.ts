import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** By which the heap may grow between two collections of all of it, over what was left by the last. */
const GROWTH_PERCENT = 50;
/** A heap that may not become larger grows by less anyway. */
const LARGE_HEAP_BYTES = 768 * 2 ** 20;

/**
 * Has the engine hold less memory that nothing refers to.
 *
 * - The jobs of its compilers are freed at once. In the background, which is its default, that waits for other work there:
 *   after the first thousands of requests, 65 MiB were left that were never given back.
 * - It collects before the heap has grown fourfold, its default on a large machine: what a stream of a second leaves is
 *   old by then, and was 50 MiB with a hundred streams.
 *
 * To be called after the start: flags are part of what compiled code is kept for. So those of the start hold again when the
 * process exits, which is when Node keeps it.
 */
export function limitEngineMemory(): void {
  setFlagsFromString('--no-maglev-destroy-on-background');
  if (getHeapStatistics().heap_size_limit > LARGE_HEAP_BYTES) {
    setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  }
  process.once('exit', () => {
    setFlagsFromString('--maglev-destroy-on-background');
    setFlagsFromString('--heap-growing-percent=0');
  });
}
