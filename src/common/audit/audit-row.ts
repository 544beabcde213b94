import { type AuditEntry, type AuditRecord } from './audit-log.js';

/** A row of the table `audit`; what was before and after is JSON. */
export interface AuditRow extends Omit<AuditEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

/** Values of `at, actor, action, subject, before, after`. */
export function valuesOfAction(
  { actor, action, subject, before = null, after = null }: AuditRecord,
  at: number,
): (string | number | null)[] {
  return [at, actor, action, subject, textOf(before), textOf(after)];
}

export function toAuditEntry(row: AuditRow): AuditEntry {
  return { ...row, before: valueOf(row.before), after: valueOf(row.after) };
}

function textOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function valueOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
