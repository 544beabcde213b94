import { type PgQuery } from '../../common/store/pg-client.js';
import { USAGE_FIGURES, USAGE_KEPT_DAYS, type UsageQuery, type UsageRow } from '../records/usage.js';
import { type SharedConnection } from './shared-connection.js';

const FIGURES = USAGE_FIGURES.map((name) => `"${name}"`);
const COLUMNS = ['source', 'day', 'key', 'model', 'account', ...FIGURES];

/**
 * Parts of the statement that ships. $1 is the node, $2 a JSON of rows as they stand in its file. Each count adds a request,
 * so a row with fewer is an earlier one, of a statement that was carried out late. What others have counted for the node
 * while they took it for dead is in its file, too, or will be.
 */
export const SHIP_USAGE = `
  recounted AS (
    DELETE FROM log_usage
    WHERE json_array_length($2::json) > 0 AND source = 'crashed ' || $1 AND source LIKE 'crashed %'
  ), counted AS (
    INSERT INTO log_usage (${COLUMNS.join(', ')})
    SELECT ${COLUMNS.join(', ')} FROM json_to_recordset($2::json)
      AS shipped (source text, day integer, key text, model text, account text,
        ${FIGURES.map((name) => `${name} bigint`).join(', ')})
    ON CONFLICT (day, key, source, model, account) DO UPDATE
    SET ${FIGURES.map((name) => `${name} = excluded.${name}`).join(', ')}
    WHERE log_usage.requests < excluded.requests
  )`;

const SELECT = `
  SELECT to_char(to_timestamp(day * 86400.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, key, model, account,
    ${FIGURES.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')}
  FROM log_usage WHERE log_usage.day BETWEEN $1 AND $2 AND ($3::text IS NULL OR key = $3)
  GROUP BY log_usage.day, key, model, account
  ORDER BY log_usage.day, key COLLATE "C", model COLLATE "C", account COLLATE "C"`;

/** As `UsageTable.countCrashed`, for records of a node whose file is out of reach. */
const COUNT_CRASHED = `
  INSERT INTO log_usage (source, day, key, model, account, requests, errors)
  SELECT 'crashed ' || $1::text, started_at / 86400000, coalesce(key_name, ''),
    coalesce(model, ''), coalesce(account, ''), count(*), count(*)
  FROM log_records JOIN unnest($2::integer[], $3::bigint[]) AS closed (day, seq) USING (day, seq)
  WHERE node = $1 AND is_completion = 1 GROUP BY 2, 3, 4, 5
  ON CONFLICT (day, key, source, model, account) DO UPDATE
  SET requests = log_usage.requests + excluded.requests, errors = log_usage.errors + excluded.errors`;

/** Usage of all gateways, added up; in the order of day, key, model and account. */
export function selectSharedUsage(
  connection: SharedConnection,
  { fromDay, toDay, key }: UsageQuery,
): Promise<UsageRow[]> {
  return connection.query<UsageRow>(SELECT, [fromDay, toDay, key ?? null]);
}

/** Counts completions of a dead node as errors, in the transaction that closes their records. */
export async function countCrashed(
  query: PgQuery,
  node: string,
  records: readonly { readonly day: number; readonly seq: number }[],
): Promise<void> {
  await query(COUNT_CRASHED, [node, records.map(({ day }) => day), records.map(({ seq }) => seq)]);
}

/** Drops the rows that are more than a year old. */
export async function dropOldUsage(query: PgQuery): Promise<void> {
  await query(
    // The time at which the transaction began, as an integer: else no index would be used.
    `DELETE FROM log_usage WHERE day < floor(extract(epoch FROM now()) / 86400)::integer - ${USAGE_KEPT_DAYS}`,
  );
}
