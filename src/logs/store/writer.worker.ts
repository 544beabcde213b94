import { workerData } from 'node:worker_threads';
import { SystemClock } from '../../common/time/clock.js';
import { type StoredRecord } from '../records/stored-record.js';
import { isCorruption, isPassing, openForWriting, putAside, WrongVersionError } from './log-database.js';
import { RecordWriter, type StoreLimits, type StoreSize } from './record-writer.js';
import { serveCalls } from './serve-calls.js';

/** The thread that alone writes the store: a slow or full disk delays nobody else. */

export interface Opened {
  /** The last number drawn in the file; 0 if it is new. */
  readonly lastNumber: number;
}

export interface WriteOrder {
  readonly records: readonly StoredRecord[];
  /** Numbers (`seq`) of records to be deleted. */
  readonly removed: readonly number[];
  readonly limits: StoreLimits;
}

export interface WriteReport extends StoreSize {
  /** How many of the records are stored, from the first. */
  readonly written: number;
  /** Why the rest is not. */
  readonly failure?: string | undefined;
  /** What the operator should know. */
  readonly notices: readonly string[];
}

const { path } = workerData as { readonly path: string };
const clock = new SystemClock();
let writer: RecordWriter | undefined;
let close: () => void = () => undefined;
/** Of the file as the last process left it; undefined until it has been seen. */
let lastNumber: number | undefined;
let size: StoreSize = { entries: 0, bytes: 0 };
const notices: string[] = [];

serveCalls({
  open(): Opened {
    opened();
    return { lastNumber: lastNumber ?? 0 };
  },

  write({ records, removed, limits }: WriteOrder): WriteReport {
    let written = 0;
    let failure: string | undefined;
    try {
      const target = opened();
      target.remove(removed);
      target.write(records, limits, (count) => (written = count));
      size = target.size;
    } catch (error) {
      failure = (error as Error).message;
      if (!replaceIfUseless(error as Error) && !isPassing(error as Error)) {
        close();
      }
    }
    return { ...size, written, failure, notices: notices.splice(0) };
  },

  /** Somebody could not read the file: looks whether it is of any use. */
  check(): void {
    try {
      writer?.check();
    } catch (error) {
      replaceIfUseless(error as Error);
    }
  },

  close(): void {
    close();
  },
});

/** Opened when it is first needed, and again after a failure. */
function opened(): RecordWriter {
  if (writer) {
    return writer;
  }
  try {
    open();
  } catch (error) {
    if (!replaceIfUseless(error as Error)) {
      throw error;
    }
    open();
  }
  return writer as unknown as RecordWriter;
}

function open(): void {
  const database = openForWriting(path);
  close = () => {
    close = () => undefined;
    writer = undefined;
    database.close();
  };
  try {
    const target = new RecordWriter(database);
    // Later on, what is pending belongs to this process.
    lastNumber ??= target.closePending();
    size = target.size;
    writer = target;
  } catch (error) {
    close();
    throw error;
  }
}

/** Puts a file aside that is damaged, or that another release has written. */
function replaceIfUseless(error: Error): boolean {
  if (!(error instanceof WrongVersionError) && !isCorruption(error)) {
    return false;
  }
  close();
  const aside = putAside(path, clock.now());
  notices.push(
    `The log store cannot be used (${error.message}): it is kept as ${aside}, and a new one begun.`,
  );
  return true;
}
