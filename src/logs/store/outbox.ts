import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { newNodeName } from '../../common/store/node-name.js';
import { beginAtTime, leaveUsageOutbox, UsageOutbox } from './usage-outbox.js';

/** Marks of what has been shipped. */
export interface ShippedMarks {
  /** Number of the last row of the outbox; 0 for none. */
  readonly last: number;
  /** Numbers of rows of usage in their outbox. */
  readonly usage: readonly number[];
}

/**
 * One row a change of a record; the triggers note it in the record's own transaction. Rows are only appended and taken out
 * from the front, so that a batch is taken out by the number of its last row.
 */
const TABLES = `
  CREATE TABLE outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_removed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  ${beginAtTime('outbox')}
  INSERT INTO outbox (seq, bytes) SELECT seq, bytes FROM records ORDER BY seq;
  CREATE TRIGGER record_put AFTER INSERT ON records
    BEGIN INSERT INTO outbox (seq, bytes) VALUES (new.seq, new.bytes); END;
  CREATE TRIGGER record_changed AFTER UPDATE OF changed ON records
    BEGIN INSERT INTO outbox (seq, bytes) VALUES (new.seq, new.bytes); END;
`;

const SPOOL = 'CREATE TABLE IF NOT EXISTS spool (node TEXT NOT NULL) STRICT';

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
    database.exec('BEGIN IMMEDIATE');
    database.exec(SPOOL);
    // Files from before rows had numbers are shipped again, which does no harm.
    if (
      database.prepare("SELECT 1 FROM pragma_table_info('outbox') WHERE name = 'number'").get() === undefined
    ) {
      leaveOutbox(database);
      database.exec(TABLES);
    }
    const known = database.prepare('SELECT node FROM spool').get()?.node;
    this.node = typeof known === 'string' ? known : (node ?? newNodeName());
    if (known === undefined) {
      database.prepare('INSERT INTO spool VALUES (?)').run(this.node);
    }
    this.usage = new UsageOutbox(database);
    database.exec('COMMIT');
    this.take = database.prepare('DELETE FROM outbox WHERE number <= ?');
    this.note = database.prepare('INSERT INTO outbox (seq, bytes, is_removed) VALUES (?, 0, 1)');
    this.trimmed = database.prepare(
      `DELETE FROM outbox WHERE number <
         (SELECT number FROM outbox WHERE seq >= (SELECT min(seq) FROM records) ORDER BY number LIMIT 1)`,
    );
  }

  /** Takes out what was shipped; what changed meanwhile has a later row. */
  remove({ last, usage }: ShippedMarks): void {
    this.database.exec('BEGIN IMMEDIATE');
    this.usage.remove(usage);
    this.take.run(last);
    this.database.exec('COMMIT');
  }

  /** Notes a record that was deleted because its end could not be stored. */
  noteRemoved(seq: number): void {
    this.note.run(seq);
  }

  /** Takes out the oldest rows, as far as their records were deleted by the file's limits. */
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
