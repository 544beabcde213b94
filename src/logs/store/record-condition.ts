import { FAILED_OUTCOMES, type LogFilter, OUTCOMES_BY_LEVEL, outcomesOf } from '../records/log-filter.js';
import { clientMember } from '../records/record-match.js';

/** A condition in SQL with the values of its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Where the databases of the log differ. */
export interface Dialect {
  /** Whether `brief` contains a text. */
  readonly contains: string;
  /** Whether the reason in `brief` is a text. */
  readonly reason: string;
}

export const SQLITE: Dialect = {
  contains: 'instr(brief, ?) > 0',
  reason: "brief ->> '$.error.reason' = ?",
};

export const POSTGRES: Dialect = {
  contains: 'strpos(brief, ?) > 0',
  reason: "brief::json #>> '{error,reason}' = ?",
};

/** The conditions of a filter but for `q`; parameters are `?`. */
export function toCondition(
  {
    kind = 'request',
    level,
    key,
    model,
    account,
    status,
    outcome,
    reason,
    from,
    until,
    minMs,
    client,
  }: LogFilter,
  dialect: Dialect,
): SqlCondition {
  const parts: SqlCondition[] = [{ sql: 'kind = ?', values: [kind] }];
  if (level !== undefined) {
    const outcomes = OUTCOMES_BY_LEVEL[level];
    parts.push({ sql: `outcome IN (${outcomes.map(() => '?').join(', ')})`, values: outcomes });
  }
  if (key !== undefined) {
    parts.push({ sql: 'key_name = ?', values: [key] });
  }
  if (model !== undefined) {
    parts.push({ sql: 'model = ?', values: [model] });
  }
  if (account !== undefined) {
    parts.push({ sql: 'account = ?', values: [account] });
  }
  if (status !== undefined) {
    parts.push({ sql: 'status BETWEEN ? AND ?', values: [status.from, status.to] });
  }
  if (outcome !== undefined) {
    const outcomes = outcomesOf(outcome);
    parts.push({ sql: `outcome IN (${outcomes.map(() => '?').join(', ')})`, values: outcomes });
  }
  if (from !== undefined) {
    parts.push({ sql: 'started_at >= ?', values: [from] });
  }
  if (until !== undefined) {
    parts.push({ sql: 'started_at < ?', values: [until] });
  }
  if (minMs !== undefined) {
    parts.push({ sql: 'total_ms >= ?', values: [minMs] });
  }
  if (client !== undefined) {
    parts.push({ sql: dialect.contains, values: [clientMember(client)] });
  }
  if (reason !== undefined) {
    // Few records have failed, so that few are parsed.
    const failed = FAILED_OUTCOMES.map(() => '?').join(', ');
    parts.push({
      sql: `outcome IN (${failed}) AND ${dialect.reason}`,
      values: [...FAILED_OUTCOMES, reason],
    });
  }
  return all(parts);
}

/** All conditions at once. */
export function all(parts: readonly SqlCondition[]): SqlCondition {
  return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/**
 * Pattern of LIKE for a substring, with `|` as its escape.
 * @param isLoose whether spaces stand for underscores, too, as in the words that pages show
 */
export function pattern(text: string, isLoose = false): string {
  const exact = text.replace(/[|%_]/g, '|$&');
  return `%${isLoose ? exact.replaceAll(' ', '_') : exact}%`;
}
