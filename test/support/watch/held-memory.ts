import { engineCollector } from '../../../src/start/unused-memory.js';
import { unwatched } from './loop-watch.js';

const collectGarbage = engineCollector();

/** Bytes of live heap and buffers of this process, after a full garbage collection. */
export function heldBytes(): number {
  unwatched(() => collectGarbage({ type: 'major', execution: 'sync', flavor: 'regular' }));
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
