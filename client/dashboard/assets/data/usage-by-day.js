import { sum } from './sum.js';

const DAY_MS = 86_400_000;
/** Most layers with a name of their own: more colours could not be told apart. */
const NAMED = 4;

/**
 * Tokens of every day, in layers: those of prompts and of answers, or those of the values of a field that used the most; the
 * label is empty where there is no value.
 *
 * @param {readonly any[]} rows of `/dashboard/api/usage`
 * @param {{ days: number, now: number, by: 'day' | 'key' | 'model' | 'account' }} range `now`: Unix milliseconds
 */
export function usageByDay(rows, { days, now, by }) {
  const last = Math.floor(now / DAY_MS) * DAY_MS;
  const t = Array.from({ length: days }, (_, index) => last - (days - 1 - index) * DAY_MS);
  const layers = new Map();
  const layerOf = (label) => {
    const layer = layers.get(label) ?? t.map(() => 0);
    layers.set(label, layer);
    return layer;
  };
  for (const row of rows) {
    const at = (Date.parse(row.day) - t[0]) / DAY_MS;
    if (at < 0 || at >= days) {
      continue;
    }
    if (by === 'day') {
      layerOf('Tokens in')[at] += row.promptTokens;
      layerOf('Tokens out')[at] += row.completionTokens;
    } else {
      layerOf(row[by])[at] += row.promptTokens + row.completionTokens;
    }
  }
  const all = [...layers].map(([label, tokens]) => ({ label, tokens, whole: sum(tokens) }));
  return { t, bucketMs: DAY_MS, by, layers: by === 'day' ? all : largest(all) };
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
