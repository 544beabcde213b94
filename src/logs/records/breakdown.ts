/** By what the completions of a time are told apart. */
export type BreakdownKind = 'model' | 'account' | 'client' | 'key';

/** An ended completion, as far as it counts here. */
export interface BreakdownEntry extends Readonly<Record<BreakdownKind, string | null>> {
  readonly isOk: boolean;
  readonly totalMs: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Characters that condensing left out. */
  readonly savedCharacters: number;
}

/** Figures of the completions with one value. */
export interface BreakdownRow {
  /** Empty for completions without one. */
  readonly name: string;
  readonly requests: number;
  readonly succeeded: number;
  /** Of those that succeeded; null without any. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly savedCharacters: number;
}

export interface Breakdown {
  /** Whether only the latest completions were counted, since there are too many. */
  readonly isPartial: boolean;
  readonly rows: Readonly<Record<BreakdownKind, readonly BreakdownRow[]>>;
}

/** Most rows of a table; further values have few requests. */
const MAX_ROWS = 50;

/** Figures by each kind, the most requests first. */
export function breakdown(entries: readonly BreakdownEntry[]): Breakdown['rows'] {
  return {
    model: rowsBy(entries, 'model'),
    account: rowsBy(entries, 'account'),
    client: rowsBy(entries, 'client'),
    key: rowsBy(entries, 'key'),
  };
}

function rowsBy(entries: readonly BreakdownEntry[], kind: BreakdownKind): BreakdownRow[] {
  const groups = Map.groupBy(entries, (entry) => entry[kind] ?? '');
  return [...groups]
    .map(([name, group]) => toRow(name, group))
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, MAX_ROWS);
}

function toRow(name: string, group: readonly BreakdownEntry[]): BreakdownRow {
  const succeeded = group.filter(({ isOk }) => isOk);
  const durations = succeeded.flatMap(({ totalMs }) => totalMs ?? []).sort((a, b) => a - b);
  const sum = (value: (entry: BreakdownEntry) => number): number =>
    group.reduce((total, entry) => total + value(entry), 0);
  return {
    name,
    requests: group.length,
    succeeded: succeeded.length,
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
    promptTokens: sum((entry) => entry.promptTokens),
    completionTokens: sum((entry) => entry.completionTokens),
    savedCharacters: sum((entry) => entry.savedCharacters),
  };
}

/** Nearest rank. @param sorted ascending */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
