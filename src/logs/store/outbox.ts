import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { newNodeName } from '../../common/store/node-name.js';
import { leaveUsageOutbox, UsageOutbox } from './usage-outbox.js';

/** A shipped record in the state of a change. 0 stands for one that is to be deleted. */
export type ShippedMark = readonly [seq: number, changed: number];

/** Marks of what has been shipped. */
export interface ShippedMarks {
  readonly records: readonly ShippedMark[];
  /** Numbers of rows of usage in their outbox. */
  readonly usage: readonly number[];
}

/** Mark of a record that was removed from the file and is to be removed elsewhere, too. */
export const REMOVED = 0;

/** One row a record whose latest state has not been shipped; the triggers note it in the record's own transaction. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, changed INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS spool (node TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS record_put AFTER INSERT ON records
    BEGIN INSERT OR REPLACE INTO outbox VALUES (new.seq, new.changed); END;
  CREATE TRIGGER IF NOT EXISTS record_changed AFTER UPDATE OF changed ON records
    BEGIN INSERT OR REPLACE INTO outbox VALUES (new.seq, new.changed); END;
`;

/** The records of a file that are to be shipped elsewhere. Throws what SQLite throws. */
export class Outbox {
  /** Name of the file among all that are shipped to one place; kept in the file. */
  readonly node: string;
  private readonly database: DatabaseSync;
  private readonly take: StatementSync;
  private readonly note: StatementSync;
  private readonly trimmed: StatementSync;
  private readonly usage: UsageOutbox;

  /** @param node name for a file that has none; a new one by default */
  constructor(database: DatabaseSync, node?: string) {
    this.database = database;
    const isNew =
      database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'outbox'").get() ===
      undefined;
    database.exec('BEGIN IMMEDIATE');
    database.exec(TABLES);
    if (isNew) {
      database.exec('INSERT INTO outbox SELECT seq, changed FROM records');
    }
    const known = database.prepare('SELECT node FROM spool').get()?.node;
    this.node = typeof known === 'string' ? known : (node ?? newNodeName());
    if (known === undefined) {
      database.prepare('INSERT INTO spool VALUES (?)').run(this.node);
    }
    this.usage = new UsageOutbox(database);
    database.exec('COMMIT');
    this.take = database.prepare('DELETE FROM outbox WHERE seq = ? AND changed = ?');
    this.note = database.prepare(`INSERT OR REPLACE INTO outbox VALUES (?, ${REMOVED})`);
    this.trimmed = database.prepare('DELETE FROM outbox WHERE seq < (SELECT min(seq) FROM records)');
  }

  /** Takes out what was shipped; what changed meanwhile stays. */
  remove({ records, usage }: ShippedMarks): void {
    this.database.exec('BEGIN IMMEDIATE');
    this.usage.remove(usage);
    records.forEach(([seq, changed]) => this.take.run(seq, changed));
    this.database.exec('COMMIT');
  }

  /** Notes a record that was deleted because its end could not be stored. */
  noteRemoved(seq: number): void {
    this.note.run(seq);
  }

  /** Takes out records that the file's limits have deleted. */
  trim(): void {
    this.trimmed.run();
  }
}

/** Ends the notes in a file that is no longer shipped; its name stays. */
export function leaveOutbox(database: DatabaseSync): void {
  leaveUsageOutbox(database);
  database.exec(
    'DROP TRIGGER IF EXISTS record_put; DROP TRIGGER IF EXISTS record_changed; DROP TABLE IF EXISTS outbox',
  );
}
