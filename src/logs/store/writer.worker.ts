import { workerData } from 'node:worker_threads';
import { identityOf } from '../../common/files/file-identity.js';
import { deleteQuarantined, quarantineFile } from '../../common/store/sqlite/quarantined-files.js';
import { isTransient } from '../../common/store/sqlite/sqlite.js';
import { isUnusable } from '../../common/store/sqlite/versioned-file.js';
import { serveCalls, Transferred } from '../../common/threads/serve-calls.js';
import { SystemClock } from '../../common/time/clock.js';
import { leaveOutbox, Outbox, type ShippedMarks } from '../outbox/outbox.js';
import { blocksOf, type Outgoing } from '../outbox/outgoing-records.js';
import { type StoredRecord } from '../records/stored-record.js';
import { openForWriting } from './log-database.js';
import { RecordWriter, type StoreLimits, type StoreSize } from './record-writer.js';
import { carryUsageOver } from './usage-table.js';

// The writing thread, the only writer of the file: a slow or full disk blocks neither the event loop nor readers.

/** What the thread cannot know by itself where it takes another one's place. */
interface Opening {
  /** Whether this process has had the file open: what is pending there is then its own. */
  readonly isReopened: boolean;
}

/** Argument of `open`. */
interface OpenOrder extends Opening {
  /** Unix milliseconds; files that were quarantined before are deleted. */
  readonly keepFrom: number;
}

/** Result of `open`. */
export interface OpenReport {
  /** Highest number in the file; 0 for a new one. */
  readonly lastNumber: number;
  /** Name of the file among those that are shipped; undefined if it is not. */
  readonly node: string | undefined;
}

/** Argument of `write`. */
export interface WriteOrder extends Opening {
  readonly records: readonly StoredRecord[];
  /** `seq` of rows to delete. */
  readonly removed: readonly number[];
  readonly limits: StoreLimits;
  /** Done after the write; see `outgoing`. */
  readonly outgoing?: OutgoingOrder | undefined;
}

/** Argument of `outgoing`. */
export interface OutgoingOrder {
  /** See `OutgoingRecords.next`. */
  readonly firstDay: number;
  /** Taken out of the outbox before. */
  readonly shipped?: ShippedMarks | undefined;
}

/** A record with a value that the store does not take. */
export interface RejectedRecord {
  readonly seq: number;
  readonly id: string;
  readonly reason: string;
}

/** Result of `write`. */
export interface WriteReport extends StoreSize {
  /** Number of records dealt with, counted from the first. */
  readonly written: number;
  /** Those of them that can never be stored; they were left out. */
  readonly rejected: readonly RejectedRecord[];
  /** Why the others were not stored; undefined if all were. */
  readonly failure?: string | undefined;
  /** Messages for the operator. */
  readonly notices: readonly string[];
  /** Result of the order `outgoing`. */
  readonly outgoing?: Outgoing | undefined;
  /** Why the order `outgoing` failed; undefined if it did not. */
  readonly outgoingFailure?: string | undefined;
}

const { path, isShipped } = workerData as { readonly path: string; readonly isShipped: boolean };
const clock = new SystemClock();
let writer: RecordWriter | undefined;
let outbox: Outbox | undefined;
let close: () => void = () => undefined;
/** Of the open file. */
let identity: string | undefined;
/** The quarantined file in whose place the present one is. */
let quarantined: string | undefined;
/** Highest number left by the previous process; undefined until the file was opened. */
let lastNumber: number | undefined;
let size: StoreSize = { entries: 0, bytes: 0, isOverfull: false };
const notices: string[] = [];

serveCalls({
  open({ keepFrom, isReopened }: OpenOrder): OpenReport {
    openWriter(isReopened);
    try {
      deleteQuarantined(path, keepFrom);
    } catch {
      // What cannot be deleted now is deleted at another start.
    }
    return { lastNumber: lastNumber ?? 0, node: outbox?.node };
  },

  write({ records, removed, limits, isReopened, outgoing: order }: WriteOrder): Transferred<WriteReport> {
    let written = 0;
    let failure: string | undefined;
    const rejected: RejectedRecord[] = [];
    try {
      const target = openWriter(isReopened);
      target.remove(removed);
      target.write(
        records,
        limits,
        (count) => (written = count),
        ({ seq, id }, reason) => rejected.push({ seq, id, reason }),
      );
      size = target.size;
    } catch (error) {
      failure = (error as Error).message;
      if (!replaceIfUnusable(error as Error) && !isTransient(error)) {
        close();
      }
    }
    const { outgoing, outgoingFailure } = order ? tryTakeOutgoing(order) : {};
    const report = { ...size, written, rejected, failure, notices: notices.splice(0) };
    return new Transferred({ ...report, outgoing, outgoingFailure }, outgoing ? blocksOf(outgoing) : []);
  },

  /** Called after a reader met corruption: replaces the file if it is damaged. */
  check(): void {
    try {
      writer?.check();
    } catch (error) {
      replaceIfUnusable(error as Error);
    }
  },

  /** Acknowledges a batch and returns the next one; undefined while the file cannot be used. */
  outgoing(order: OutgoingOrder): Transferred<Outgoing> | undefined {
    const next = takeOutgoing(order);
    return next && new Transferred(next, blocksOf(next));
  },

  /** Removes shipped rows from the outbox. */
  shipped(marks: ShippedMarks): void {
    if (writer) {
      outbox?.remove(marks);
    }
  },

  close(): void {
    close();
  },
});

function takeOutgoing({ firstDay, shipped }: OutgoingOrder): Outgoing | undefined {
  if (!writer || !outbox) {
    return undefined;
  }
  if (shipped) {
    outbox.remove(shipped);
  }
  return outbox.next(firstDay);
}

/** A failure is no failure of the write before. */
function tryTakeOutgoing(order: OutgoingOrder): Pick<WriteReport, 'outgoing' | 'outgoingFailure'> {
  try {
    return { outgoing: takeOutgoing(order) };
  } catch (error) {
    return { outgoingFailure: (error as Error).message };
  }
}

/** Opens the file if it is not open: at the first call, after a failure, and where another one or none has its name. */
function openWriter(isReopened: boolean): RecordWriter {
  if (writer && identityOf(path) !== identity) {
    close();
    notices.push(
      'The log store was removed, or replaced, while the gateway runs: the log goes on in a new one.',
    );
  }
  if (writer) {
    return writer;
  }
  try {
    open(isReopened);
  } catch (error) {
    if (!replaceIfUnusable(error as Error)) {
      throw error;
    }
    open(isReopened);
  }
  return writer as unknown as RecordWriter;
}

function open(isReopened: boolean): void {
  const database = openForWriting(path);
  close = () => {
    close = () => undefined;
    writer = undefined;
    database.close();
  };
  try {
    if (quarantined !== undefined) {
      carryUsageOver(database, quarantined);
      quarantined = undefined;
    }
    if (isShipped) {
      outbox = new Outbox(database, outbox?.node);
    } else {
      leaveOutbox(database);
    }
    const target = new RecordWriter(database, outbox);
    if (!isReopened) {
      // Only at the first opening: pending rows met later belong to this process.
      lastNumber ??= target.closePending();
    }
    identity = identityOf(path);
    size = target.size;
    writer = target;
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Quarantines a file that is damaged, to a new connection as well, or was written by another release. Closes it in any case.
 * @returns whether it did
 */
function replaceIfUnusable(error: Error): boolean {
  if (!isUnusable(error)) {
    return false;
  }
  close();
  if (!isUnusableStill()) {
    return false;
  }
  quarantined = quarantineFile(path, clock.now());
  notices.push(
    `The log store cannot be used (${error.message}): it is kept as ${quarantined}, and a new one begun.`,
  );
  return true;
}

/** SQLite has one code for damage and for a disk that fails to read once. */
function isUnusableStill(): boolean {
  try {
    open(true);
    writer?.check();
    return false;
  } catch (error) {
    return isUnusable(error);
  } finally {
    close();
  }
}
