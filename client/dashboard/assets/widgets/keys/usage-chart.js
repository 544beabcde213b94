import { compact, count } from '../../data/format.js';
import { sum } from '../../data/sum.js';
import { Chart } from '../kit/chart.js';

/** Tokens of each day, of all keys together, as stacked bars; a bar leads to the requests of its day. */
export function usageChart(place) {
  return new Chart(place, {
    title: 'Tokens by day (UTC)',
    empty: 'No tokens in this time',
    bars: true,
    days: true,
    format: count,
    axis: compact,
    lines: [
      {
        label: 'Tokens in',
        colour: '--info-fill',
        values: ({ tokensIn, tokensOut }) => tokensIn.map((tokens, at) => tokens + tokensOut[at]),
        own: ({ tokensIn }) => tokensIn,
        whole: ({ tokensIn }) => tokensIn,
      },
      {
        label: 'Tokens out',
        colour: '--ok-fill',
        values: ({ tokensOut }) => tokensOut,
        whole: ({ tokensOut }) => tokensOut,
      },
    ],
    describe: ({ tokensIn, tokensOut }) => `${count(sum(tokensIn))} tokens in, ${count(sum(tokensOut))} out.`,
  });
}
