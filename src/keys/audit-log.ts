import { Injectable } from '@nestjs/common';
import { Database } from '../common/store/database.js';
import { Clock } from '../common/time/clock.js';

/** Actions that are kept; the oldest go first. */
const MAX_ACTIONS = 10_000;

/** One action of an operator. */
export interface AuditEntry {
  readonly number: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** Name of the operator's key; null while the gateway has no keys. */
  readonly actor: string | null;
  /** E.g. `key.create`. */
  readonly action: string;
  /** What it was done to, e.g. the name of a key. */
  readonly subject: string | null;
  /** Without secrets; null where there was nothing before. */
  readonly before: unknown;
  /** Without secrets; null where nothing is left. */
  readonly after: unknown;
}

export type AuditRecord = Pick<AuditEntry, 'actor' | 'action' | 'subject'> &
  Partial<Pick<AuditEntry, 'before' | 'after'>>;

interface AuditRow extends Omit<AuditEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

/** What operators have done, in the store. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  add({ actor, action, subject, before = null, after = null }: AuditRecord): void {
    const { lastInsertRowid } = this.database
      .prepare('INSERT INTO audit (at, actor, action, subject, before, after) VALUES (?, ?, ?, ?, ?, ?)')
      .run(this.clock.now(), actor, action, subject, textOf(before), textOf(after));
    this.database.prepare('DELETE FROM audit WHERE number <= ?').run(Number(lastInsertRowid) - MAX_ACTIONS);
  }

  /** Newest first. @param before number of an entry; only earlier ones */
  list(limit: number, before = Number.MAX_SAFE_INTEGER): AuditEntry[] {
    const rows = this.database
      .prepare(
        'SELECT number, at, actor, action, subject, before, after FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?',
      )
      .all(before, limit) as unknown as AuditRow[];
    return rows.map((row) => ({ ...row, before: valueOf(row.before), after: valueOf(row.after) }));
  }
}

function textOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function valueOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
