import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { InternalError } from '../errors/gateway.errors.js';
import { identityOf } from '../files/file-identity.js';
import { takePrivateFile, takePrivateFolder } from '../files/private-path.js';
import { Mutex } from '../time/mutex.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { MIGRATIONS } from './migrations.js';
import { inTransaction, isBusy, isDiskFault } from './sqlite/sqlite.js';
import { StoreError } from './store.error.js';
import { storeFault } from './store-fault.js';

const FILE_NAME = 'gateway.db';

/** Longest wait of a statement for another process that holds the store, in milliseconds; all callers wait with it. */
const BUSY_TIMEOUT_MS = 5000;
const SERVING_BUSY_TIMEOUT_MS = 20;

/** Pause between the tries of `patiently`. */
const BUSY_PAUSE_MS = 250;

/**
 * The embedded store, one SQLite file in DATA_DIR. Calls are synchronous: a write costs about 20 µs, less than
 * handing it to a thread would.
 *
 * In WAL mode with `synchronous = NORMAL` a committed write survives the death of the process (`kill -9`);
 * a power cut may lose the last ones but never damages the file.
 * @throws StoreError from the constructor if the folder or the file cannot be used
 */
@Injectable()
export class Database implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  /** Absolute path of the folder that holds the store. */
  readonly folder: string;
  private readonly connection: DatabaseSync;
  private readonly lock: FolderLock;
  private readonly identity: string | undefined;
  private readonly mutex = new Mutex();
  /** Longest wait of a statement now. */
  private busyWaitMs = BUSY_TIMEOUT_MS;

  constructor(settings: Settings) {
    this.folder = resolve(settings.DATA_DIR);
    this.lock = takeFolder(this.folder);
    try {
      this.connection = openFile(this.folder);
    } catch (error) {
      this.lock.release();
      throw error;
    }
    try {
      this.connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;',
      );
      this.check();
      this.migrate();
      this.identity = identityOf(join(this.folder, FILE_NAME));
    } catch (error) {
      this.close();
      throw error instanceof StoreError ? error : unusable(this.folder, error);
    }
  }

  /** Prepares a statement, to be kept and run often. Values are passed as parameters only. */
  prepare(sql: string): StatementSync {
    return this.connection.prepare(sql);
  }

  /**
   * Runs `work` in a transaction that takes the write lock at once.
   * @throws InternalError if the disk takes no more, or the file is no longer in its folder: what is written then is lost
   */
  transaction<T>(work: () => T): T {
    if (identityOf(join(this.folder, FILE_NAME)) !== this.identity) {
      throw unwritable(`${FILE_NAME} was removed from its folder, or replaced, while the gateway runs`);
    }
    try {
      return inTransaction(this.connection, work);
    } catch (error) {
      throw isDiskFault(error) ? unwritable(storeFault(error, this.folder)?.what, error) : error;
    }
  }

  /**
   * Like `transaction`, after earlier calls, for work that may wait 5 s for another process that holds the store.
   * @throws InternalError if that takes longer
   */
  patiently<T>(work: () => T): Promise<T> {
    return this.mutex.run(async () => {
      for (let waitedMs = this.busyWaitMs; ; waitedMs += BUSY_PAUSE_MS + this.busyWaitMs) {
        try {
          return this.transaction(work);
        } catch (error) {
          if (!isBusy(error)) {
            throw error;
          }
          if (waitedMs >= BUSY_TIMEOUT_MS) {
            throw heldByAnother(error);
          }
        }
        await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
      }
    });
  }

  /** From now on a statement that waits keeps callers waiting. */
  onApplicationBootstrap(): void {
    this.limitBusyWait(SERVING_BUSY_TIMEOUT_MS);
  }

  /** Answers are over, and what is written last is not repeated. */
  beforeApplicationShutdown(): void {
    this.limitBusyWait(BUSY_TIMEOUT_MS);
  }

  /** Closes the file; a second call does nothing. */
  close(): void {
    if (this.connection.isOpen) {
      this.connection.close();
      this.lock.release();
    }
  }

  onApplicationShutdown(): void {
    this.close();
  }

  private limitBusyWait(ms: number): void {
    this.busyWaitMs = ms;
    this.connection.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  /** Finds damage at the start instead of in some later statement; a megabyte takes a millisecond. */
  private check(): void {
    const { quick_check: verdict } = this.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (verdict !== 'ok') {
      throw new Error(`it is damaged (${verdict})`);
    }
  }

  private migrate(): void {
    inTransaction(this.connection, () => {
      const row = this.prepare('PRAGMA user_version').get() as { user_version: number };
      if (row.user_version > MIGRATIONS.length) {
        throw new StoreError(
          `The store in ${this.folder} was written by a newer release (version ${row.user_version}, ` +
            `this one knows ${MIGRATIONS.length}): run that release, or use another DATA_DIR.`,
        );
      }
      for (const step of MIGRATIONS.slice(row.user_version)) {
        this.connection.exec(step);
      }
      this.connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    });
  }
}

/** Two gateways on one store would overwrite each other's log records, and know nothing of each other's cooldowns. */
function takeFolder(folder: string): FolderLock {
  let lock: FolderLock | undefined;
  try {
    takePrivateFolder(folder, FILE_NAME);
    lock = lockFolder(folder);
  } catch (error) {
    throw unusable(folder, error);
  }
  if (!lock) {
    throw new StoreError(
      `Another gateway uses the store in ${folder}: stop it, or give this one a DATA_DIR of its own.`,
    );
  }
  return lock;
}

function openFile(folder: string): DatabaseSync {
  try {
    const path = join(folder, FILE_NAME);
    takePrivateFile(path);
    return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, error: unknown): StoreError {
  const fault = storeFault(error, folder);
  const { message } = error as Error;
  const why = fault ? `${fault.what} (${message})` : message;
  return new StoreError(`The store in ${folder} cannot be used: ${why}`, error, fault?.passes);
}

function unwritable(why = 'the disk fails', cause?: unknown): InternalError {
  return new InternalError('local_resources', `the store cannot be written: ${why}.`, { cause });
}

function heldByAnother(cause: unknown): InternalError {
  const what = `another process holds the store (${FILE_NAME}). Please retry.`;
  return new InternalError('local_resources', what, { retryAfterMs: 1000, cause });
}
