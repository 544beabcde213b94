import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { takePrivateFile } from '../../common/files/private-path.js';
import { selectNumber, WrongVersionError } from '../../logs/store/log-database.js';
import {
  bytesOf,
  type ChainKey,
  type ConversationStep,
  type FileLimits,
  type FoundText,
  type ResponseKey,
  type ResponseRecord,
  type TextColumn,
  type TextKey,
} from './response-record.js';

/** Schema version; a file with another one is put aside. */
const VERSION = 1;
const BUSY_TIMEOUT_MS = 2000;
/** Rows deleted at once. */
const SLICE = 100;

const TABLES = `
  CREATE TABLE responses (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    previous TEXT,
    status TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL,
    input TEXT NOT NULL,
    events TEXT
  ) STRICT;
  CREATE INDEX responses_by_age ON responses (created_at);
`;

/** The length of a text is known without reading it. */
const readText = (column: TextColumn): string => `
  SELECT status, events IS NOT NULL AS hasEvents, coalesce(octet_length(${column}), 0) AS length,
    CASE WHEN octet_length(${column}) <= :maxLength THEN ${column} END AS text
  FROM responses WHERE id = :id AND owner = :owner`;

/** The responses of a conversation, the latest first, with the length of the texts so far. */
const CHAIN = `
  WITH RECURSIVE chain (id, previous, depth, size) AS (
    SELECT id, previous, 0, length(body) + length(input) FROM responses WHERE id = :id AND owner = :owner
    UNION ALL
    SELECT r.id, r.previous, depth + 1, size + length(r.body) + length(r.input)
      FROM chain JOIN responses r ON r.id = chain.previous WHERE r.owner = :owner AND size <= :maxLength
  )`;

/** The error of a response that the end of its gateway cut off. */
const CUT_OFF = JSON.stringify({
  code: 'server_error',
  message: 'The gateway was restarted before the response was complete.',
});

/**
 * Stored responses in a file of their own. Synchronous, for a worker thread. Throws what SQLite throws, or
 * `WrongVersionError`.
 */
export class ResponseTable {
  private readonly database: DatabaseSync;
  private readonly statements: Readonly<
    Record<'put' | 'size' | 'remove' | 'chain' | 'chainLength' | TextColumn, StatementSync>
  >;
  private readonly oldest: StatementSync;
  private readonly drop: StatementSync;
  private bytes: number;

  constructor(path: string) {
    takePrivateFile(path);
    this.database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      prepareFile(this.database);
      const prepare = (sql: string): StatementSync => this.database.prepare(sql);
      this.statements = {
        put: prepare(
          `INSERT INTO responses (id, owner, created_at, previous, status, bytes, body, input, events)
           VALUES (:id, :owner, :createdAt, :previous, :status, :bytes, :body, :input, :events)
           ON CONFLICT (id) DO UPDATE SET status = excluded.status, bytes = excluded.bytes, body = excluded.body,
             events = excluded.events`,
        ),
        size: prepare('SELECT bytes FROM responses WHERE id = ?'),
        body: prepare(readText('body')),
        input: prepare(readText('input')),
        events: prepare(readText('events')),
        remove: prepare('DELETE FROM responses WHERE id = :id AND owner = :owner RETURNING bytes'),
        chain: prepare(
          `${CHAIN} SELECT id, responses.previous, status, body, input FROM chain JOIN responses USING (id) ORDER BY depth DESC`,
        ),
        chainLength: prepare(`${CHAIN} SELECT max(size) AS length FROM chain`),
      };
      this.oldest = prepare(
        `SELECT seq, bytes, created_at AS createdAt FROM responses
         WHERE status NOT IN ('queued', 'in_progress') ORDER BY created_at, seq LIMIT ${SLICE}`,
      );
      this.drop = prepare('DELETE FROM responses WHERE seq = ?');
      this.bytes = this.sumBytes();
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Ends the responses that the previous process left under way. Their events stay without an end. */
  closePending(): void {
    this.database
      .prepare(
        `UPDATE responses SET status = 'failed',
           body = json_set(body, '$.status', 'failed', '$.error', json(?))
         WHERE status IN ('queued', 'in_progress')`,
      )
      .run(CUT_OFF);
  }

  /** Stores or replaces a response, then deletes what exceeds the limits, the oldest first. */
  put(record: ResponseRecord, limits: FileLimits): void {
    const before = Number(this.statements.size.get(record.id)?.bytes ?? 0);
    const bytes = bytesOf(record);
    this.statements.put.run({ ...record, bytes });
    this.bytes += bytes - before;
    this.dropOld(limits);
  }

  /** See `ResponseStore.read`. */
  read({ id, owner, column, maxLength }: TextKey): FoundText | undefined {
    const row = this.statements[column].get({ id, owner, maxLength });
    return row && ({ ...row, hasEvents: row.hasEvents === 1 } as unknown as FoundText);
  }

  /** @returns whether there was one */
  remove({ id, owner }: ResponseKey): boolean {
    const row = this.statements.remove.get({ id, owner });
    this.bytes -= Number(row?.bytes ?? 0);
    return row !== undefined;
  }

  /** See `ResponseStore.chain`. */
  chain({ id, owner, maxLength }: ChainKey): readonly ConversationStep[] {
    const rows = this.statements.chain.all({ id, owner, maxLength });
    return rows.map((row) => ({ ...row }) as unknown as ConversationStep);
  }

  /** See `ResponseStore.chainLength`. */
  chainLength({ id, owner, maxLength }: ChainKey): number {
    return Number(this.statements.chainLength.get({ id, owner, maxLength })?.length ?? 0);
  }

  /** Deletes what exceeds the limits, the oldest first, but nothing that is under way. */
  dropOld({ maxBytes, keepFrom }: FileLimits): void {
    for (;;) {
      const rows = this.oldest.all() as unknown as { seq: number; bytes: number; createdAt: number }[];
      const count = rows.length;
      let dropped = 0;
      for (const { seq, bytes, createdAt } of rows) {
        if (createdAt >= keepFrom && this.bytes <= maxBytes) {
          break;
        }
        this.drop.run(seq);
        this.bytes -= bytes;
        dropped++;
      }
      if (dropped > 0) {
        this.database.exec('PRAGMA incremental_vacuum');
      }
      if (count < SLICE || dropped < count) {
        return;
      }
    }
  }

  close(): void {
    this.database.close();
  }

  private sumBytes(): number {
    return selectNumber(this.database, 'SELECT sum(bytes) FROM responses');
  }
}

function prepareFile(database: DatabaseSync): void {
  // The mode of vacuum must be set before the first table exists.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  const version = selectNumber(database, 'PRAGMA user_version');
  if (version === 0 && selectNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0) {
    database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${VERSION}; COMMIT`);
  } else if (version !== VERSION) {
    throw new WrongVersionError(`it has version ${version}, this release writes ${VERSION}`);
  }
}
