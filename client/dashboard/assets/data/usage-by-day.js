import { utcDay } from './format.js';
import { sum } from './sum.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Most layers with a name of their own: more colours could not be told apart. */
const NAMED = 4;

/**
 * Rows with the Monday of their `week`, in UTC. A week that begins before the days that were read is left out: in part, it
 * would look like a rise to the next one.
 *
 * @param {readonly any[]} rows of `/dashboard/api/usage`
 * @param {{ days: number, now: number }} range `days`: read up to the present one; `now`: Unix milliseconds
 */
export function withWeeks(rows, { days, now }) {
  const first = now - days * DAY_MS;
  return rows
    .map((row) => ({ ...row, week: utcDay(mondayOf(Date.parse(row.day))) }))
    .filter(({ week }) => Date.parse(week) > first || Date.parse(week) === mondayOf(now));
}

/** @param {number} at Unix milliseconds */
function mondayOf(at) {
  const day = Math.floor(at / DAY_MS);
  // The first day of 1970 was a Thursday.
  return (day - ((day + 3) % 7)) * DAY_MS;
}

/**
 * Tokens of every day or week, in layers: those of prompts and of answers, or those of the values of a field that used the
 * most; the label is empty where there is no value.
 *
 * @param {readonly any[]} rows of `/dashboard/api/usage`; of `withWeeks` by week
 * @param {{ days: number, now: number, by: 'day' | 'week' | 'key' | 'model' | 'account' }} range `now`: Unix milliseconds
 */
export function usageByDay(rows, { days, now, by }) {
  const isWeekly = by === 'week';
  const bucketMs = isWeekly ? WEEK_MS : DAY_MS;
  const last = isWeekly ? mondayOf(now) : Math.floor(now / DAY_MS) * DAY_MS;
  const buckets = isWeekly ? Math.max(1, Math.ceil((last - (now - days * DAY_MS)) / WEEK_MS)) : days;
  const t = Array.from({ length: buckets }, (_, index) => last - (buckets - 1 - index) * bucketMs);
  const layers = new Map();
  const layerOf = (label) => {
    const layer = layers.get(label) ?? t.map(() => 0);
    layers.set(label, layer);
    return layer;
  };
  for (const row of rows) {
    const at = (Date.parse(isWeekly ? row.week : row.day) - t[0]) / bucketMs;
    if (at < 0 || at >= buckets) {
      continue;
    }
    if (isWeekly || by === 'day') {
      layerOf('Tokens in')[at] += row.promptTokens;
      layerOf('Tokens out')[at] += row.completionTokens;
    } else {
      layerOf(row[by])[at] += row.promptTokens + row.completionTokens;
    }
  }
  const all = [...layers].map(([label, tokens]) => ({ label, tokens, whole: sum(tokens) }));
  return { t, bucketMs, by, layers: isWeekly || by === 'day' ? all : largest(all) };
}

/** The layers with the most tokens, and one of all the others. */
function largest(layers) {
  const sorted = layers.filter(({ whole }) => whole > 0).sort((a, b) => b.whole - a.whole);
  const others = sorted.slice(NAMED);
  if (others.length < 2) {
    return sorted;
  }
  const tokens = others[0].tokens.map((_, at) => sum(others.map((layer) => layer.tokens[at])));
  return [...sorted.slice(0, NAMED), { label: `${others.length} others`, tokens, whole: sum(tokens) }];
}
