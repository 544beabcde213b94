import { type DatabaseSync } from 'node:sqlite';
import { type Breakdown, breakdown, type BreakdownEntry } from '../records/breakdown.js';

/** Completions counted at most, the latest first: reading their JSON takes 5 µs each. */
const MAX_ENTRIES = 50_000;

/** Characters that condensing left out of a completion. */
const SAVED = `(SELECT coalesce(sum((value ->> 'before') - (value ->> 'after')), 0)
  FROM json_each(brief, '$.condensed'))`;

/**
 * Figures of the completions of a range, in Unix milliseconds, that have ended.
 * Throws what SQLite throws.
 */
export function selectBreakdown(
  database: DatabaseSync,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Breakdown {
  // A seq is never below its time in microseconds, so the primary key bounds the scan.
  const entries = database
    .prepare(
      `SELECT model, account, key_name AS key, brief ->> '$.client' AS client, outcome = 'ok' AS isOk,
         total_ms AS totalMs, prompt_tokens AS promptTokens, completion_tokens AS completionTokens,
         ${SAVED} AS savedCharacters
       FROM records CROSS JOIN texts USING (seq)
       WHERE seq >= ? AND is_completion = 1 AND outcome <> 'pending' AND started_at >= ? AND started_at < ?
       ORDER BY seq DESC LIMIT ${MAX_ENTRIES}`,
    )
    .all(fromMs * 1000, fromMs, toMs) as unknown as BreakdownEntry[];
  return {
    isPartial: entries.length === MAX_ENTRIES,
    rows: breakdown(entries.map((entry) => ({ ...entry, isOk: Boolean(entry.isOk) }))),
  };
}
