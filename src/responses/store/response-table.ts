import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { shrink } from '../../common/store/sqlite/sqlite.js';
import { openVersionedFile } from '../../common/store/sqlite/versioned-file.js';
import {
  bytesOf,
  type ChainKey,
  type ConversationStep,
  type FileLimits,
  type ResponseKey,
  type ResponseRecord,
  type StoredText,
  type TextColumn,
  type TextKey,
} from './response-record.js';

/** What is deleted in one call, about: those behind it wait meanwhile. Bytes of texts, and rows. */
const SLICE_BYTES = 2 ** 24;
const SLICE_ROWS = 1000;

/** Schema version; a file with another one is quarantined. */
const VERSION = 1;
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
/** Not in files of earlier releases, which can do with it as well. */
const OWNER_INDEX = 'CREATE INDEX IF NOT EXISTS responses_by_owner ON responses (owner, created_at)';

const OVER = `status NOT IN ('queued', 'in_progress')`;

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
 * Stored responses in a file of their own. Synchronous, for a worker thread. Throws what SQLite throws, and the
 * constructor as `openVersionedFile`.
 */
export class ResponseTable {
  private readonly database: DatabaseSync;
  private readonly statements: Readonly<
    Record<
      'put' | 'size' | 'remove' | 'chain' | 'chainLength' | 'old' | 'oldestOf' | 'drop' | TextColumn,
      StatementSync
    >
  >;
  private readonly bytesByOwner: Map<string, number>;
  private bytes: number;

  constructor(path: string) {
    this.database = openVersionedFile(path, {
      version: VERSION,
      tables: TABLES,
      addMissing: (database) => database.exec(OWNER_INDEX),
    });
    try {
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
        old: prepare(`SELECT seq, owner, bytes FROM responses WHERE ${OVER} AND created_at < ? LIMIT 1`),
        oldestOf: prepare(
          `SELECT seq, owner, bytes FROM responses WHERE ${OVER} AND owner = ? ORDER BY created_at, seq LIMIT 1`,
        ),
        drop: prepare('DELETE FROM responses WHERE seq = ?'),
      };
      this.bytesByOwner = this.sumBytes();
      this.bytes = [...this.bytesByOwner.values()].reduce((sum, bytes) => sum + bytes, 0);
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

  /** Stores or replaces a response, then deletes as `dropOld`. */
  put(record: ResponseRecord, limits: FileLimits): boolean {
    const before = Number(this.statements.size.get(record.id)?.bytes ?? 0);
    const bytes = bytesOf(record);
    this.statements.put.run({ ...record, bytes });
    this.count(record.owner, bytes - before);
    return this.dropOld(limits);
  }

  /** See `ResponseStore.read`. */
  read({ id, owner, column, maxLength }: TextKey): StoredText | undefined {
    const row = this.statements[column].get({ id, owner, maxLength });
    return row && ({ ...row, hasEvents: row.hasEvents === 1 } as unknown as StoredText);
  }

  /** @returns whether there was one */
  remove({ id, owner }: ResponseKey): boolean {
    const row = this.statements.remove.get({ id, owner });
    this.count(owner, -Number(row?.bytes ?? 0));
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

  /**
   * Deletes a part of what is too old, and of what is too much the oldest of whoever has the most, so that nobody loses
   * responses to somebody who stores more. Nothing that is under way goes.
   * @returns whether there may be more of it
   */
  dropOld({ maxBytes, keepFrom }: FileLimits): boolean {
    const { old, oldestOf } = this.statements;
    const before = this.bytes;
    let rows = 0;
    const isFull = (): boolean => rows === SLICE_ROWS || before - this.bytes >= SLICE_BYTES;
    while (!isFull() && this.dropFound(old.get(keepFrom))) {
      rows++;
    }
    const candidates = new Set(this.bytesByOwner.keys());
    while (!isFull() && this.bytes > maxBytes && candidates.size > 0) {
      const owner = this.largestOf(candidates);
      if (this.dropFound(oldestOf.get(owner))) {
        rows++;
      } else {
        candidates.delete(owner);
      }
    }
    if (rows > 0) {
      shrink(this.database);
    }
    return isFull();
  }

  close(): void {
    this.database.close();
  }

  /** @returns whether there was a row to drop */
  private dropFound(row: Readonly<Record<string, unknown>> | undefined): boolean {
    if (!row) {
      return false;
    }
    this.statements.drop.run(row.seq as number);
    this.count(row.owner as string, -Number(row.bytes));
    return true;
  }

  private largestOf(owners: Iterable<string>): string {
    const sizeOf = (owner: string): number => this.bytesByOwner.get(owner) ?? 0;
    return [...owners].reduce((largest, owner) => (sizeOf(owner) > sizeOf(largest) ? owner : largest));
  }

  private count(owner: string, bytes: number): void {
    this.bytes += bytes;
    const ofOwner = (this.bytesByOwner.get(owner) ?? 0) + bytes;
    if (ofOwner === 0) {
      this.bytesByOwner.delete(owner);
    } else {
      this.bytesByOwner.set(owner, ofOwner);
    }
  }

  private sumBytes(): Map<string, number> {
    const rows = this.database
      .prepare('SELECT owner, sum(bytes) AS bytes FROM responses GROUP BY owner')
      .all();
    return new Map(rows.map(({ owner, bytes }) => [owner as string, Number(bytes)]));
  }
}
