import { type RequestLogEntry } from './request-log-entry.js';

/** Sums of the usage of requests. */
export interface UsageFigures {
  readonly requests: number;
  /** Requests that did not succeed: refused, failed, cancelled or crashed. */
  readonly errors: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Characters of tool results that condensing left out. */
  readonly savedCharacters: number;
  /** Time spent waiting for sessions. */
  readonly queuedMs: number;
}

/** Days for which usage is kept. */
export const USAGE_KEPT_DAYS = 366;

/** The columns of the figures. */
export const USAGE_FIGURES = [
  'requests',
  'errors',
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'reasoningTokens',
  'savedCharacters',
  'queuedMs',
] as const satisfies readonly (keyof UsageFigures)[];

/**
 * The figures of a row of SQLite's table `usage`, for a SELECT. One above 2^53 − 1, as upstreams' absurd counts have added up
 * to, is read as that: SQLite refuses to hand it over, and every row with it.
 */
export const USAGE_SELECTED = USAGE_FIGURES.map(
  (name) => `min(usage.${name}, ${Number.MAX_SAFE_INTEGER}) AS ${name}`,
).join(', ');

/** Usage of one key on one day, by model and account. */
export interface UsageRow extends UsageFigures {
  /** In UTC, e.g. `2026-05-31`. */
  readonly day: string;
  /** Name of the key; empty for requests without one. */
  readonly key: string;
  /** Empty for requests that were refused before their model was known. */
  readonly model: string;
  /** Empty for requests that met none. */
  readonly account: string;
}

/** Filter for rows of usage. */
export interface UsageQuery {
  /** Numbers of days since 1970, both inclusive. */
  readonly fromDay: number;
  readonly toDay: number;
  /** Name of the only key. */
  readonly key?: string | undefined;
}

/** A request's contribution to the usage of its key; null unless it is a completion that has ended. */
export function usageOf(entry: RequestLogEntry): UsageFigures | null {
  if (entry.operation !== 'completion' || entry.outcome === 'pending' || entry.isStranger) {
    return null;
  }
  const { usage, condensed = [], queuedMs = 0 } = entry;
  return {
    requests: 1,
    errors: entry.outcome === 'ok' ? 0 : 1,
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
    savedCharacters: condensed.reduce((sum, { before, after }) => sum + before - after, 0),
    queuedMs: Math.round(queuedMs),
  };
}
