import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { takePrivateFile, takePrivateFolder } from '../files/private-path.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { MIGRATIONS } from './migrations.js';
import { StoreError } from './store.error.js';

const FILE_NAME = 'gateway.db';

/** Longest wait of a statement for another process that holds the store, in milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * The embedded store, one SQLite file in DATA_DIR. Calls are synchronous: a write costs about 20 µs, less than
 * handing it to a thread would.
 *
 * In WAL mode with `synchronous = NORMAL` a committed write survives the death of the process (`kill -9`);
 * a power cut may lose the last ones but never damages the file.
 * @throws StoreError from the constructor if the folder or the file cannot be used
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  /** Absolute path of the folder that holds the store. */
  readonly folder: string;
  private readonly connection: DatabaseSync;
  private readonly lock: FolderLock;

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
    } catch (error) {
      this.close();
      throw error instanceof StoreError ? error : unusable(this.folder, error);
    }
  }

  /** Prepares a statement, to be kept and run often. Values are passed as parameters only. */
  prepare(sql: string): StatementSync {
    return this.connection.prepare(sql);
  }

  /** Runs `work` in a transaction that takes the write lock at once. */
  transaction<T>(work: () => T): T {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (this.connection.isTransaction) {
        this.connection.exec('ROLLBACK');
      }
      throw error;
    }
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

  /** Finds damage at the start instead of in some later statement; a megabyte takes a millisecond. */
  private check(): void {
    const { quick_check: verdict } = this.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (verdict !== 'ok') {
      throw new Error(`it is damaged (${verdict})`);
    }
  }

  private migrate(): void {
    this.transaction(() => {
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
  return new StoreError(`The store in ${folder} cannot be used: ${(error as Error).message}`, error);
}
