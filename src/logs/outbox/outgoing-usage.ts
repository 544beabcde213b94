import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { USAGE_SELECTED, type UsageFigures } from '../records/usage.js';

/** Rows of one batch; the rest follows at once. */
const MAX_ROWS = 500;

/** A row of usage as it stands in the file. */
export interface OutgoingUsageRow extends UsageFigures {
  /** Numbers to take out of the outbox. */
  readonly number: number;
  /** Since 1970, in UTC. */
  readonly day: number;
  readonly key: string;
  readonly model: string;
  readonly account: string;
}

/** The next rows of usage to ship. */
export interface UsageBatch {
  /** Name of the file as a source of usage; empty if there is nothing to ship. */
  readonly source: string;
  readonly rows: readonly OutgoingUsageRow[];
  /** Numbers to take out of the outbox, those of rows included that the file has dropped since. */
  readonly numbers: readonly number[];
  readonly isLast: boolean;
}

/** Reads the oldest changes of usage in an open file. Throws what SQLite throws. */
export class OutgoingUsage {
  private readonly select: StatementSync;
  private readonly source: StatementSync;

  constructor(database: DatabaseSync) {
    this.select = database.prepare(
      `SELECT number, usage.day, usage.key, usage.model, usage.account, ${USAGE_SELECTED}
       FROM usage_outbox LEFT JOIN usage USING (day, key, model, account) ORDER BY number LIMIT ${MAX_ROWS}`,
    );
    this.source = database.prepare('SELECT id FROM usage_source');
  }

  read(): UsageBatch {
    const found = this.select.all() as unknown as (OutgoingUsageRow & { readonly day: number | null })[];
    const source = found.length > 0 && this.source.get()?.id;
    return {
      source: typeof source === 'string' ? source : '',
      rows: found.filter(({ day }) => day !== null),
      numbers: found.map(({ number }) => number),
      isLast: found.length < MAX_ROWS,
    };
  }
}
