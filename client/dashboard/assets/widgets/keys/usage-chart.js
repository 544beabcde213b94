import { compact, count } from '../../data/format.js';
import { sum } from '../../data/sum.js';
import { Chart } from '../kit/chart.js';
import { UNNAMED } from '../kit/labels.js';

const COLOURS = ['--info-fill', '--ok-fill', '--limit-fill', '--warn-fill', '--line-strong'];

/**
 * Tokens of each day or week in layers, as stacked bars; a bar leads to the requests of its time.
 *
 * @param {HTMLElement} place
 * @param {Record<string, string>} filters of the requests that are counted
 */
export function usageChart(place, filters) {
  const named = ({ layers, by }) => layers.map((layer) => ({ ...layer, label: layer.label || UNNAMED[by] }));
  return new Chart(place, {
    title: 'Tokens over time (UTC)',
    empty: 'No tokens in this period',
    bars: true,
    days: true,
    filters,
    format: count,
    axis: compact,
    // Drawn one over the other, each as high as itself and all after it.
    lines: (shown) =>
      named(shown).map(({ label, tokens, whole }, first) => ({
        label,
        colour: COLOURS[first],
        values: (series) =>
          tokens.map((_, at) => sum(series.layers.slice(first).map((one) => one.tokens[at]))),
        own: (series) => series.layers[first].tokens,
        whole: () => whole,
      })),
    describe: (shown) =>
      `${named(shown)
        .map(({ label, whole }) => `${label}: ${count(whole)}`)
        .join(', ')}.`,
  });
}
