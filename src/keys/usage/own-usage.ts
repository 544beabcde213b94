import { type UsageRow } from '../../logs/records/usage.js';

interface OwnUsageRow {
  /** In UTC, e.g. `2026-05-31`. */
  readonly date: string;
  readonly model: string;
  readonly requests: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

/** Answer of `GET /v1/usage`. */
export interface OwnUsage {
  readonly object: 'list';
  readonly data: readonly OwnUsageRow[];
}

/** Usage as its caller may see it: by day and model, the accounts added up. */
export function toOwnUsage(rows: readonly UsageRow[]): OwnUsage {
  const sums = new Map<string, OwnUsageRow>();
  for (const row of rows) {
    const place = `${row.day} ${row.model}`;
    const sum = sums.get(place);
    sums.set(place, {
      date: row.day,
      model: row.model,
      requests: (sum?.requests ?? 0) + row.requests,
      errors: (sum?.errors ?? 0) + row.errors,
      prompt_tokens: (sum?.prompt_tokens ?? 0) + row.promptTokens,
      completion_tokens: (sum?.completion_tokens ?? 0) + row.completionTokens,
      cached_tokens: (sum?.cached_tokens ?? 0) + row.cachedTokens,
      reasoning_tokens: (sum?.reasoning_tokens ?? 0) + row.reasoningTokens,
    });
  }
  return { object: 'list', data: [...sums.values()] };
}
