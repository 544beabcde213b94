import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { inTransaction } from '../../common/store/sqlite/sqlite.js';
import { DAY_MS } from '../../common/time/durations.js';
import { carrySourceOver } from '../outbox/usage-outbox.js';
import { type StoredRecord } from '../records/stored-record.js';
import {
  USAGE_FIGURES,
  USAGE_KEPT_DAYS,
  USAGE_SELECTED,
  type UsageQuery,
  type UsageRow,
} from '../records/usage.js';

const KEYS = ['day', 'key', 'model', 'account'];
const COLUMNS = [...KEYS, ...USAGE_FIGURES];

/** One row a day, key, model and account. In the log's file, so that a request counts in the transaction that stores it. */
export const USAGE_TABLE = `
  CREATE TABLE usage (
    day INTEGER NOT NULL,
    key TEXT NOT NULL,
    model TEXT NOT NULL,
    account TEXT NOT NULL,
    ${USAGE_FIGURES.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ')},
    PRIMARY KEY (day, key, model, account)
  ) STRICT, WITHOUT ROWID;
`;

/** Adds requests to the daily rows; each call within a transaction of the caller's. Throws what SQLite throws. */
export class UsageTable {
  private readonly database: DatabaseSync;
  private readonly addRow: StatementSync;
  private readonly outcome: StatementSync;
  private readonly drop: StatementSync;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.addRow = database.prepare(
      `INSERT INTO usage (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
       ON CONFLICT DO UPDATE SET ${USAGE_FIGURES.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`,
    );
    this.outcome = database.prepare('SELECT outcome FROM records WHERE seq = ?');
    this.drop = database.prepare('DELETE FROM usage WHERE day < ?');
  }

  /**
   * Counts requests at their end, before their records are written: one that is written again counts once. Those of one
   * row are added up first, since a write costs as much as ten of them.
   */
  count(records: readonly StoredRecord[]): void {
    const rows = new Map<string, { readonly place: readonly (string | number)[]; readonly sums: number[] }>();
    for (const { seq, key, model, isModelKnown, account, startedAt, usage } of records) {
      if (usage === null || !this.isNew(seq)) {
        continue;
      }
      const known = isModelKnown ? model : null;
      const place = [Math.floor(startedAt / DAY_MS), key ?? '', known ?? '', account ?? ''];
      const name = place.join('\0');
      const row = getOrInsert(rows, name, () => ({ place, sums: USAGE_FIGURES.map(() => 0) }));
      USAGE_FIGURES.forEach((figure, at) => (row.sums[at]! += usage[figure]));
    }
    for (const { place, sums } of rows.values()) {
      this.addRow.run(...place, ...sums);
    }
  }

  /** Counts the requests that the death of the process has cut off; before they are marked. A model that they have is known. */
  countCrashed(): void {
    this.database.exec(
      `INSERT INTO usage (day, key, model, account, requests, errors)
         SELECT started_at / ${DAY_MS}, ifnull(key_name, ''), ifnull(model, ''),
           ifnull(account, ''), count(*), count(*)
         FROM records WHERE outcome = 'pending' AND is_completion = 1 GROUP BY 1, 2, 3, 4
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, errors = errors + excluded.errors`,
    );
  }

  /** Drops the rows that are more than a year older than a time in Unix milliseconds. */
  dropOld(now: number): void {
    this.drop.run(Math.floor(now / DAY_MS) - USAGE_KEPT_DAYS);
  }

  private isNew(seq: number): boolean {
    const row = this.outcome.get(seq);
    return row === undefined || row.outcome === 'pending';
  }
}

/** Rows in the order of day, key, model and account. */
export function selectUsage(database: DatabaseSync, { fromDay, toDay, key }: UsageQuery): UsageRow[] {
  const where = `day BETWEEN ? AND ?${key === undefined ? '' : ' AND key = ?'}`;
  return database
    .prepare(
      `SELECT date(day * 86400, 'unixepoch') AS day, key, model, account, ${USAGE_SELECTED} FROM usage
       WHERE ${where} ORDER BY usage.day, key, model, account`,
    )
    .all(fromDay, toDay, ...(key === undefined ? [] : [key])) as unknown as UsageRow[];
}

/** Takes the usage over from a file that was put aside, as far as it can be read: it is kept for a year, logs are not. */
export function carryUsageOver(database: DatabaseSync, from: string): void {
  try {
    database.prepare('ATTACH ? AS aside').run(from);
    inTransaction(database, () => {
      database.exec(
        `INSERT OR IGNORE INTO usage (${COLUMNS.join(', ')}) SELECT ${COLUMNS.join(', ')} FROM aside.usage`,
      );
      carrySourceOver(database);
    });
  } catch {
    // A file without usage, or too damaged.
  } finally {
    detach(database);
  }
}

function detach(database: DatabaseSync): void {
  try {
    database.exec('DETACH aside');
  } catch {
    // It could not be attached.
  }
}
