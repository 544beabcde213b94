import { type LogFilter, type LogRanking } from '../records/log-filter.js';

/** What records are ranked by. */
export interface Ranked {
  readonly seq: number;
  /** Null while it is pending. */
  readonly totalMs: number | null;
  /** Of prompt and answer; 0 for an exchange. */
  readonly tokens: number;
}

/** SQL: tokens of prompt and answer. Upstreams may report any number, and a sum of integers could overflow. */
export const TOKENS = 'CAST(prompt_tokens AS double precision) + completion_tokens';

/** A ranking in SQL, and what it ranks by. Equals are ordered in the same way in both. */
const RANKINGS: Readonly<
  Record<LogRanking, { readonly order: string; readonly value: (record: Ranked) => number | null }>
> = {
  slowest: {
    order: 'total_ms DESC NULLS LAST, CASE WHEN total_ms IS NULL THEN seq ELSE -seq END',
    value: ({ totalMs }) => totalMs,
  },
  largest: {
    order: `${TOKENS} DESC, seq DESC`,
    value: ({ tokens }) => tokens,
  },
};

/** The ranking that a filter asks for; undefined for the order of time. */
export function wantedRanking({ sort = 'newest' }: LogFilter): LogRanking | undefined {
  return sort === 'newest' ? undefined : sort;
}

/** SQL: the order of a ranking. */
export function orderOfRanking(ranking: LogRanking): string {
  return RANKINGS[ranking].order;
}

/** The first `limit` of a ranking; those without a value last, the oldest of them first, since it runs the longest. */
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
