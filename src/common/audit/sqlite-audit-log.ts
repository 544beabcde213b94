import { type Database } from '../store/database.js';
import { type Clock } from '../time/clock.js';
import { type AuditEntry, AuditLog, type AuditRecord, MAX_ACTIONS } from './audit-log.js';
import { type AuditRow, toAuditEntry, valuesOfAction } from './audit-row.js';

const ADD = 'INSERT INTO audit (at, actor, action, subject, before, after) VALUES (?, ?, ?, ?, ?, ?)';
const LIST = `
  SELECT number, at, actor, action, subject, before, after FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?`;

/** The audit list of one gateway, in its own file. */
export class SqliteAuditLog extends AuditLog {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected async write(record: AuditRecord): Promise<void> {
    const values = valuesOfAction(record, this.clock.now());
    await this.database.patiently(() => {
      const { lastInsertRowid } = this.database.prepare(ADD).run(...values);
      this.database.prepare('DELETE FROM audit WHERE number <= ?').run(Number(lastInsertRowid) - MAX_ACTIONS);
    });
  }

  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<AuditEntry[]> {
    return (this.database.prepare(LIST).all(before, limit) as unknown as AuditRow[]).map(toAuditEntry);
  }
}
