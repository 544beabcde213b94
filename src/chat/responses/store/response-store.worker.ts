import { workerData } from 'node:worker_threads';
import { serveCalls } from '../../../common/threads/serve-calls.js';
import { SystemClock } from '../../../common/time/clock.js';
import { isCorruption, putAside, WrongVersionError } from '../../../logs/store/log-database.js';
import { type ChainKey, type FileLimits, type PutOrder, type ResponseKey } from './response-record.js';
import { ResponseTable } from './response-table.js';

// The thread of stored responses, whose texts may be megabytes: neither reading nor writing them blocks the event loop.

const { path } = workerData as { readonly path: string };
let table: ResponseTable | undefined;

serveCalls({
  /** @returns a message for the operator, if there is one */
  open(): string | undefined {
    try {
      openTable().closePending();
      return undefined;
    } catch (error) {
      if (!(error instanceof WrongVersionError) && !isCorruption(error as Error)) {
        throw error;
      }
      const aside = putAside(path, new SystemClock().now());
      openTable();
      return `The stored responses cannot be used (${(error as Error).message}): they are kept as ${aside}, and a new file begun.`;
    }
  },
  dropOld: (limits: FileLimits) => openTable().dropOld(limits),
  put: ({ record, limits }: PutOrder) => openTable().put(record, limits),
  find: (key: ResponseKey) => openTable().find(key),
  remove: (key: ResponseKey) => openTable().remove(key),
  chain: (key: ChainKey) => openTable().chain(key),
  chainLength: (key: ChainKey) => openTable().chainLength(key),
  close(): void {
    table?.close();
    table = undefined;
  },
});

function openTable(): ResponseTable {
  return (table ??= new ResponseTable(path));
}
