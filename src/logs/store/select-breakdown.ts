import { type DatabaseSync } from 'node:sqlite';
import { type Breakdown, breakdown, type BreakdownEntry, longestWait } from '../records/breakdown.js';
import { OUTCOMES_WITH_REASON } from '../records/log-filter.js';
import { orInJson, SQLITE } from './record-condition.js';

/** Completions counted at most, the latest first: each takes 4 µs. */
const MAX_ENTRIES = 50_000;

/** Characters that condensing left out, which releases before have written into the JSON only. */
const SAVED = `coalesce(saved_characters, (SELECT sum((value ->> 'before') - (value ->> 'after'))
  FROM texts, json_each(brief, '$.condensed') WHERE texts.seq = records.seq), 0)`;

/** Reason of a failure; null for what did not fail. */
const REASON = `CASE WHEN outcome IN (${OUTCOMES_WITH_REASON.map((outcome) => `'${outcome}'`).join(', ')})
  THEN nullif(${SQLITE.reason}, '') END`;

type Row = readonly [
  model: string | null,
  account: string | null,
  key: string | null,
  client: string | null,
  reason: string | null,
  isOk: 0 | 1,
  totalMs: number | null,
  promptTokens: number,
  completionTokens: number,
  savedCharacters: number,
  queuedMs: number | null,
  cachedTokens: number | null,
  startedAt: number,
];

/**
 * Figures of the completions of a range, in Unix milliseconds, that have ended.
 * Throws what SQLite throws.
 */
export function selectBreakdown(
  database: DatabaseSync,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Breakdown {
  // A seq is never below its time in microseconds, so the primary key bounds the scan.
  const statement = database.prepare(
    `SELECT model, account, key_name, ${orInJson('client', '$.client')}, ${REASON}, outcome = 'ok', total_ms, prompt_tokens,
       completion_tokens, ${SAVED}, queued_ms, cached_tokens,
       started_at
     FROM records
     WHERE seq >= ? AND is_completion = 1 AND outcome <> 'pending' AND started_at >= ? AND started_at < ?
     ORDER BY seq DESC LIMIT ${MAX_ENTRIES}`,
  );
  // Objects take half as long again.
  statement.setReturnArrays(true);
  const rows = statement.all(fromMs * 1000, fromMs, toMs) as unknown as readonly Row[];
  const entries = rows.map(toEntry);
  return {
    isPartial: rows.length === MAX_ENTRIES,
    longestWait: longestWait(entries),
    rows: breakdown(entries),
  };
}

function toEntry(row: Row): BreakdownEntry {
  return {
    model: row[0],
    account: row[1],
    key: row[2],
    client: row[3],
    reason: row[4],
    isOk: row[5] === 1,
    totalMs: row[6],
    promptTokens: row[7],
    completionTokens: row[8],
    savedCharacters: row[9],
    queuedMs: row[10],
    cachedTokens: row[11] ?? 0,
    startedAt: row[12],
  };
}
