import {
  type LogFilter,
  type LogOutcome,
  OUTCOMES_BY_LEVEL,
  OUTCOMES_WITH_REASON,
  outcomesOf,
} from '../records/log-filter.js';

/** A condition in SQL with the values of its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** SQL dialect of a database of the log. Records of releases before have `client` and `reason` in their JSON only. */
export interface Dialect {
  /** Whether the client begins with a text. */
  readonly client: string;
  /** The reason of the failure. */
  readonly reason: string;
  /** Operator that compares with a pattern, ASCII letters in either case. */
  readonly like: string;
}

export const SQLITE: Dialect = {
  client: `instr(${orInJson('client', '$.client')}, ?) = 1`,
  reason: orInJson('reason', '$.error.reason'),
  like: 'LIKE',
};

export const POSTGRES: Dialect = {
  client: "starts_with(coalesce(client, brief::json ->> 'client'), ?)",
  reason: "coalesce(reason, brief::json #>> '{error,reason}')",
  like: 'ILIKE',
};

/** The condition of each filter that is set. */
const CONDITIONS: {
  readonly [Name in keyof LogFilter]?: (
    value: NonNullable<LogFilter[Name]>,
    dialect: Dialect,
  ) => SqlCondition;
} = {
  kind: (kind) => compares('kind =', kind),
  level: (level) => hasOutcome(OUTCOMES_BY_LEVEL[level]),
  key: (key) => compares('key_name =', key),
  model: (model) => compares('model =', model),
  account: (account) => compares('account =', account),
  served: () => ({ sql: 'request_id IS NOT NULL', values: [] }),
  operation: () => ({ sql: 'is_completion = 1', values: [] }),
  conversation: (conversation) => compares('conversation =', conversation),
  status: ({ from, to }) => ({ sql: 'status BETWEEN ? AND ?', values: [from, to] }),
  outcome: (outcome) => hasOutcome(outcomesOf(outcome)),
  from: (from) => compares('started_at >=', from),
  until: (until) => compares('started_at <', until),
  lasts: ({ ms, since }) => ({
    sql: "(total_ms >= ? OR (outcome = 'pending' AND started_at <= ?))",
    values: [ms, since],
  }),
  client: (client, dialect) => ({ sql: dialect.client, values: [client] }),
  reason: (reason, dialect) =>
    allOf([hasOutcome(OUTCOMES_WITH_REASON), compares(`${dialect.reason} =`, reason)]),
};

/** The conditions of a filter but for `q` and `node`; parameters are `?`. */
export function toCondition({ kind = 'request', ...filter }: LogFilter, dialect: Dialect): SqlCondition {
  return allOf(conditionsOf({ kind, ...filter }, dialect));
}

/** The same one by one, with none for a `kind` that is not given. */
export function conditionsOf(
  filter: { readonly [Name in keyof LogFilter]: LogFilter[Name] | undefined },
  dialect: Dialect,
): SqlCondition[] {
  return Object.entries(CONDITIONS).flatMap(([name, toPart]) => {
    const value = filter[name as keyof LogFilter];
    return value === undefined
      ? []
      : [(toPart as (value: unknown, dialect: Dialect) => SqlCondition)(value, dialect)];
  });
}

/**
 * Whether a text occurs anywhere in a record's JSON. That is so of members' names, too: `hasText` has to check the parsed
 * fields of each hit.
 */
export function textCondition(q: string, { like }: Dialect): SqlCondition {
  // Pages show the words of the log with spaces in place of underscores.
  const inJson = pattern(JSON.stringify(q).slice(1, -1)).replaceAll(' ', '_');
  const places = ['brief', 'texts', 'request_body', 'response_body'].map(
    (name) => `${name} ${like} ? ESCAPE '|'`,
  );
  return { sql: `(${places.join(' OR ')})`, values: [inJson, inJson, pattern(q), pattern(q)] };
}

/** SQLite's column of a record, or the member of its JSON if it was stored without. The JSON is read for those alone. */
export function orInJson(column: string, path: string): string {
  return `coalesce(records.${column}, (SELECT brief ->> '${path}' FROM texts WHERE texts.seq = records.seq))`;
}

function compares(what: string, value: string | number): SqlCondition {
  return { sql: `${what} ?`, values: [value] };
}

function hasOutcome(outcomes: readonly LogOutcome[]): SqlCondition {
  return { sql: `outcome IN (${outcomes.map(() => '?').join(', ')})`, values: outcomes };
}

/** All conditions at once. */
export function allOf(parts: readonly SqlCondition[]): SqlCondition {
  return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/** Pattern of LIKE for a substring, with `|` as its escape. */
function pattern(text: string): string {
  return `%${text.replace(/[|%_]/g, '|$&')}%`;
}
