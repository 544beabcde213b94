import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unwatched } from './loop-watch.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of live heap and buffers of this process, after a full garbage collection. */
export function heldBytes(): number {
  unwatched(collectGarbage);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
