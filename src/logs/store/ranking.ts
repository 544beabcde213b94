import { type LogFilter, type LogRanking } from '../records/log-filter.js';

/** What records are ranked by. */
export interface Ranked {
  readonly seq: number;
  /** Null while it is pending. */
  readonly totalMs: number | null;
  /** Of prompt and answer; 0 for an exchange. */
  readonly tokens: number;
  /** Null where no session was asked for, and for what releases before logged. */
  readonly queuedMs: number | null;
}

/** SQL: tokens of prompt and answer. Upstreams may report any number, and a sum of integers could overflow. */
export const TOKENS = 'CAST(prompt_tokens AS double precision) + completion_tokens';

/** A ranking in SQL, and what it ranks by. Equals are ordered in the same way in both. */
const RANKINGS: Readonly<
  Record<LogRanking, { readonly order: string; readonly value: (record: Ranked) => number | null }>
> = {
  slowest: {
    order: nullsLast('total_ms'),
    value: ({ totalMs }) => totalMs,
  },
  largest: {
    order: `${TOKENS} DESC, seq DESC`,
    value: ({ tokens }) => tokens,
  },
  waited: {
    order: nullsLast('queued_ms'),
    value: ({ queuedMs }) => queuedMs,
  },
};

function nullsLast(column: string): string {
  return `${column} DESC NULLS LAST, CASE WHEN ${column} IS NULL THEN seq ELSE -seq END`;
}

/** The ranking that a filter asks for; undefined for the order of time. */
export function wantedRanking({ sort = 'newest' }: LogFilter): LogRanking | undefined {
  return sort === 'newest' ? undefined : sort;
}

/** SQL: the order of a ranking. */
export function orderOfRanking(ranking: LogRanking): string {
  return RANKINGS[ranking].order;
}

/** The first `limit` of a ranking; those without a value last, the oldest of them first: by duration it runs the longest. */
export function ranked<T extends Ranked>(records: readonly T[], ranking: LogRanking, limit: number): T[] {
  const { value } = RANKINGS[ranking];
  return records
    .toSorted((a, b) => {
      const [own, other] = [value(a), value(b)];
      const newer = b.seq - a.seq;
      return (other ?? -1) - (own ?? -1) || (own === null ? -newer : newer);
    })
    .slice(0, limit);
}
