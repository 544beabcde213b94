import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { percentiles } from './log-series.js';

/** Dimensions by which the completions of a range are grouped. */
export type BreakdownKind = 'model' | 'account' | 'client' | 'key' | 'reason';

/** An ended completion, as far as it counts here. */
export interface BreakdownEntry extends Readonly<Record<BreakdownKind, string | null>> {
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly isOk: boolean;
  readonly totalMs: number | null;
  readonly queuedMs: number | null;
  readonly promptTokens: number;
  readonly cachedTokens: number;
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
  /** Those of the prompts that the upstream had kept; what releases before logged has none. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly savedCharacters: number;
}

/** The completion that waited the longest for sessions. */
export interface LongestWait {
  /** When it began, in Unix milliseconds. */
  readonly startedAt: number;
  readonly queuedMs: number;
}

export interface Breakdown {
  /** Whether only the latest completions were counted, since there are too many. */
  readonly isPartial: boolean;
  /** Null if none asked for a session. */
  readonly longestWait: LongestWait | null;
  readonly rows: Readonly<Record<BreakdownKind, readonly BreakdownRow[]>>;
}

/** Most rows of a table; further values have few requests. */
const MAX_ROWS = 50;

interface Sums {
  requests: number;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  savedCharacters: number;
  succeeded: number;
  readonly durations: number[];
}

/** Figures by each kind, the most requests first; by reason those of the failed alone. */
export function breakdown(entries: readonly BreakdownEntry[]): Breakdown['rows'] {
  return {
    model: rowsBy(entries, 'model'),
    account: rowsBy(entries, 'account'),
    client: rowsBy(entries, 'client'),
    key: rowsBy(entries, 'key'),
    reason: rowsBy(
      entries.filter(({ reason }) => reason !== null),
      'reason',
    ),
  };
}

/** Of equals the first one. */
export function longestWait(entries: readonly BreakdownEntry[]): LongestWait | null {
  let longest: LongestWait | null = null;
  for (const { startedAt, queuedMs } of entries) {
    if (queuedMs !== null && queuedMs > (longest?.queuedMs ?? -1)) {
      longest = { startedAt, queuedMs };
    }
  }
  return longest;
}

/** One pass and few allocations: there may be tens of thousands, each counted by every kind. */
function rowsBy(entries: readonly BreakdownEntry[], kind: BreakdownKind): BreakdownRow[] {
  const groups = new Map<string, Sums>();
  for (const entry of entries) {
    const name = entry[kind] ?? '';
    const sums = getOrInsert(groups, name, emptySums);
    add(sums, entry);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.requests - a.requests)
    .slice(0, MAX_ROWS)
    .map(([name, sums]) => toRow(name, sums));
}

function emptySums(): Sums {
  return {
    requests: 0,
    succeeded: 0,
    durations: [],
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    savedCharacters: 0,
  };
}

function add(sums: Sums, entry: BreakdownEntry): void {
  sums.requests += 1;
  sums.promptTokens += entry.promptTokens;
  sums.cachedTokens += entry.cachedTokens;
  sums.completionTokens += entry.completionTokens;
  sums.savedCharacters += entry.savedCharacters;
  if (entry.isOk) {
    sums.succeeded += 1;
    if (entry.totalMs !== null) {
      sums.durations.push(entry.totalMs);
    }
  }
}

function toRow(name: string, { durations, ...figures }: Sums): BreakdownRow {
  const { p50 = null, p95 = null } = percentiles(durations) ?? {};
  return { name, ...figures, p50Ms: p50, p95Ms: p95 };
}
