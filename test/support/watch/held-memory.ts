import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unwatched } from './loop-watch.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
// Flags belong to the process: the tests that Jest runs in it afterwards must not find `gc` in their contexts.
setFlagsFromString('--no-expose-gc');

/** Bytes of live heap and buffers of this process, after a full garbage collection. */
export function heldBytes(): number {
  unwatched(collectGarbage);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
