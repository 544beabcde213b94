import { type PgDatabase } from '../../common/store/pg-database.js';
import { type EarlierUse } from './limit-parts.js';
import { LOCK_PARTS, PARTS_CHANGED } from './part-statements.js';

const NAME_FILE = 'UPDATE key_nodes SET file = $2 WHERE id = $1';

/**
 * Of what the processes of one file had of the day's tokens, the oldest keep theirs first: those that ended in good order had
 * given up all that they did not use. A process whose lease runs on may yet live, and is left to a later call.
 */
const FREE = `
  UPDATE key_parts SET amount = kept.amount
  FROM (
    SELECT held.key, node, greatest(0, least(amount, coalesce(tokens, 0) - (sum(amount) OVER earlier - amount))) AS amount
    FROM key_parts AS held JOIN key_nodes ON id = node
      LEFT JOIN unnest($3::text[], $4::bigint[]) AS used (key, tokens) ON used.key = held.key
    WHERE file = $2 AND id <> $1 AND limit_name = 'tokensPerDay' AND until < clock_timestamp()
      AND key_part_counts(limit_name, until, clock_timestamp())
    WINDOW earlier AS (PARTITION BY held.key ORDER BY until, id)
  ) AS kept
  WHERE key_parts.key = kept.key AND key_parts.node = kept.node AND limit_name = 'tokensPerDay'
    AND key_parts.amount > kept.amount
  RETURNING key_parts.key`;

/** Frees what dead processes of the node's file held of the day's tokens, and did not use. */
export function freeUnused(database: PgDatabase, node: string, { file, tokens }: EarlierUse): Promise<void> {
  return database.transaction(async (query) => {
    await query(LOCK_PARTS);
    await query(NAME_FILE, [node, file]);
    const freed = await query(FREE, [node, file, [...tokens.keys()], [...tokens.values()]]);
    if (freed.length > 0) {
      await query(PARTS_CHANGED);
    }
  });
}
