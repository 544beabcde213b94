import { randomUUID } from 'node:crypto';
import { type DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * One row for each row of `usage` whose latest figures have not been shipped; the triggers note it in the transaction that
 * counts. Its number grows with each change, so that what changes while it is on its way stays.
 */
const NOTE = `BEGIN
  DELETE FROM usage_outbox
    WHERE day = new.day AND key = new.key AND model = new.model AND account = new.account;
  INSERT INTO usage_outbox (day, key, model, account) VALUES (new.day, new.key, new.model, new.account);
END`;

const TABLES = `
  CREATE TABLE IF NOT EXISTS usage_outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    day INTEGER NOT NULL,
    key TEXT NOT NULL,
    model TEXT NOT NULL,
    account TEXT NOT NULL,
    UNIQUE (day, key, model, account)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS usage_source (id TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS usage_put AFTER INSERT ON usage ${NOTE};
  CREATE TRIGGER IF NOT EXISTS usage_changed AFTER UPDATE ON usage ${NOTE};
`;

/**
 * SQL: has the numbers of a new outbox begin at the time in microseconds, so that what was shipped from a file that was put
 * aside takes nothing out of the next one.
 */
export function beginAtTime(table: string): string {
  return `INSERT INTO sqlite_sequence VALUES ('${table}', CAST(unixepoch('subsec') * 1e6 AS INTEGER));`;
}

/** The rows of usage that are to be shipped elsewhere. Throws what SQLite throws. */
export class UsageOutbox {
  private readonly take: StatementSync;

  /** To be made in a transaction. */
  constructor(database: DatabaseSync) {
    const isNew =
      database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'usage_outbox'").get() ===
      undefined;
    database.exec(TABLES);
    if (isNew) {
      database.exec(
        `${beginAtTime('usage_outbox')}
         INSERT INTO usage_outbox (day, key, model, account) SELECT day, key, model, account FROM usage`,
      );
    }
    if (database.prepare('SELECT 1 FROM usage_source').get() === undefined) {
      database.prepare('INSERT INTO usage_source VALUES (?)').run(randomUUID());
    }
    this.take = database.prepare('DELETE FROM usage_outbox WHERE number = ?');
  }

  /** Removes shipped rows; a row that changed meanwhile has another number. */
  remove(numbers: readonly number[]): void {
    numbers.forEach((number) => this.take.run(number));
  }
}

/** Ends the notes in a file that is no longer shipped; its name as a source stays. */
export function leaveUsageOutbox(database: DatabaseSync): void {
  database.exec(
    'DROP TRIGGER IF EXISTS usage_put; DROP TRIGGER IF EXISTS usage_changed; DROP TABLE IF EXISTS usage_outbox',
  );
}

/**
 * Copies the source's name along with its rows from another file, attached as `aside`: under a new name they would be
 * counted once more.
 */
export function carrySourceOver(database: DatabaseSync): void {
  const isNamed =
    database.prepare("SELECT 1 FROM aside.sqlite_schema WHERE name = 'usage_source'").get() !== undefined;
  if (isNamed) {
    database.exec(`CREATE TABLE IF NOT EXISTS main.usage_source (id TEXT NOT NULL) STRICT;
      INSERT INTO main.usage_source SELECT id FROM aside.usage_source`);
  }
}
