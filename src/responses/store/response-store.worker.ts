import { workerData } from 'node:worker_threads';
import { identityOf } from '../../common/files/file-identity.js';
import { deleteQuarantined, quarantineFile } from '../../common/store/sqlite/quarantined-files.js';
import { isUnusable, tryTwice } from '../../common/store/sqlite/versioned-file.js';
import { serveCalls } from '../../common/threads/serve-calls.js';
import { SystemClock } from '../../common/time/clock.js';
import {
  type ChainKey,
  type FileLimits,
  type PutOrder,
  type ResponseKey,
  type TextKey,
} from './response-record.js';
import { ResponseTable } from './response-table.js';

// The thread of stored responses, whose texts may be megabytes: neither reading nor writing them blocks the event loop.

const { path } = workerData as { readonly path: string };
let table: ResponseTable | undefined;
/** Of its file. */
let identity: string | undefined;

serveCalls({
  /** Ends what the process before left under way. */
  open: () => inTable((opened) => opened.closePending()),
  dropOld(limits: FileLimits): boolean {
    deleteQuarantined(path, limits.keepFrom);
    return inTable((opened) => opened.dropOld(limits));
  },
  put: ({ record, limits }: PutOrder) => inTable((opened) => opened.put(record, limits)),
  read: (key: TextKey) => inTable((opened) => opened.read(key)),
  remove: (key: ResponseKey) => inTable((opened) => opened.remove(key)),
  chain: (key: ChainKey) => inTable((opened) => opened.chain(key)),
  chainLength: (key: ChainKey) => inTable((opened) => opened.chainLength(key)),
  close,
});

/**
 * Does a call's work. A file that turns out to be unusable, at its opening or when a damaged part is met, is quarantined:
 * that call fails, and the next one begins a new file. So it is where the file was removed, or replaced.
 */
function inTable<Result>(work: (opened: ResponseTable) => Result): Result {
  if (table && identityOf(path) !== identity) {
    close();
    throw new Error('the file was removed, or replaced, while the gateway runs; a new one is begun');
  }
  try {
    return tryTwice(() => work(openTable()), close);
  } catch (error) {
    if (!isUnusable(error)) {
      throw error;
    }
    close();
    const quarantined = quarantineFile(path, new SystemClock().now());
    throw new Error(`${(error as Error).message}; the file is kept as ${quarantined}, and a new one begun`, {
      cause: error,
    });
  }
}

function openTable(): ResponseTable {
  if (!table) {
    table = new ResponseTable(path);
    identity = identityOf(path);
  }
  return table;
}

function close(): void {
  table?.close();
  table = undefined;
}
