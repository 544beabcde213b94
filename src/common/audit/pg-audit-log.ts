import { type PgDatabase } from '../store/pg-database.js';
import { type Clock } from '../time/clock.js';
import { type AuditEntry, AuditLog, type AuditRecord, MAX_ACTIONS } from './audit-log.js';
import { type AuditRow, toAuditEntry, valuesOfAction } from './audit-row.js';

/** Longest wait for the list; a page reads it every few seconds. */
const LIST_LIMIT_MS = 2000;

const ADD = `
  WITH added AS (
    INSERT INTO audit (at, actor, action, subject, before, after) VALUES ($1, $2, $3, $4, $5, $6) RETURNING number
  )
  DELETE FROM audit USING added WHERE audit.number <= added.number - ${MAX_ACTIONS}`;
const LIST = `
  SELECT number, at, actor, action, subject, before, after FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2`;

/** The audit list that several gateways share. */
export class PgAuditLog extends AuditLog {
  constructor(
    private readonly database: PgDatabase,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected async write(record: AuditRecord): Promise<void> {
    await this.database.query(ADD, valuesOfAction(record, this.clock.now()));
  }

  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<AuditEntry[]> {
    return (await this.database.look<AuditRow>(LIST, [before, limit], LIST_LIMIT_MS)).map(toAuditEntry);
  }
}
