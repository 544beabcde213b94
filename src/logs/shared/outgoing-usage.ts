import { type DatabaseSync } from 'node:sqlite';
import { USAGE_FIGURES, type UsageFigures } from '../records/usage.js';

/** Rows of one batch; the rest follows at once. */
const MAX_ROWS = 500;

/** A row of usage as it stands in the file. */
export interface OutgoingUsageRow extends UsageFigures {
  /** What it takes out of the outbox. */
  readonly number: number;
  /** Since 1970, in UTC. */
  readonly day: number;
  readonly key: string;
  readonly model: string;
  readonly account: string;
}

/** The next rows of usage to ship. */
export interface OutgoingUsage {
  /** Name of the file as a source of usage; empty if there is nothing to ship. */
  readonly source: string;
  readonly rows: readonly OutgoingUsageRow[];
  /** What the batch takes out of the outbox, rows included that the file has dropped since. */
  readonly numbers: readonly number[];
  readonly isLast: boolean;
}

/** Reads the oldest changes of usage in a file. Throws what SQLite throws. */
export function readOutgoingUsage(database: DatabaseSync): OutgoingUsage {
  const figures = USAGE_FIGURES.map((name) => `usage.${name}`).join(', ');
  const found = database
    .prepare(
      `SELECT number, usage.day, usage.key, usage.model, usage.account, ${figures}
       FROM usage_outbox LEFT JOIN usage USING (day, key, model, account) ORDER BY number LIMIT ${MAX_ROWS}`,
    )
    .all() as unknown as (OutgoingUsageRow & { readonly day: number | null })[];
  const source = found.length > 0 && database.prepare('SELECT id FROM usage_source').get()?.id;
  return {
    source: typeof source === 'string' ? source : '',
    rows: found.filter(({ day }) => day !== null),
    numbers: found.map(({ number }) => number),
    isLast: found.length < MAX_ROWS,
  };
}
