import { count, duration } from '../../data/format.js';
import { sum } from '../../data/sum.js';
import { Chart } from '../kit/chart.js';

/** Requests by outcome, as stacked bars. */
export function throughputChart(place) {
  const others = ({ requests, ok, errors, rateLimited }) =>
    requests.map((all, at) => all - ok[at] - errors[at] - rateLimited[at]);
  return new Chart(place, {
    title: 'Requests over time',
    empty: 'No requests in this period',
    bars: true,
    format: (value) => (Number.isInteger(value) ? count(value) : ''),
    lines: [
      {
        label: 'Running, cancelled',
        colour: '--line-strong',
        values: ({ requests }) => requests,
        own: others,
        whole: ({ requests, ok, errors, rateLimited }) => requests - ok - errors - rateLimited,
      },
      {
        label: 'Served',
        colour: '--ok-fill',
        values: ({ ok, errors, rateLimited }) => ok.map((value, at) => value + errors[at] + rateLimited[at]),
        own: ({ ok }) => ok,
        whole: ({ ok }) => ok,
      },
      {
        label: 'Rate limited',
        colour: '--limit-fill',
        values: ({ errors, rateLimited }) => errors.map((value, at) => value + rateLimited[at]),
        own: ({ rateLimited }) => rateLimited,
        whole: ({ rateLimited }) => rateLimited,
      },
      {
        label: 'Errors',
        colour: '--bad-fill',
        values: ({ errors }) => errors,
        whole: ({ errors }) => errors,
      },
    ],
    describe: ({ requests, errors, rateLimited }) =>
      `${count(sum(requests))} requests, of which ${count(sum(errors))} failed and ${count(sum(rateLimited))} were rate limited.`,
  });
}

/** Percentiles of the duration, with what is between them filled, the time to first token and the wait for a session. */
export function latencyChart(place) {
  return new Chart(place, {
    title: 'Duration over time',
    empty: 'No answers in this period',
    format: duration,
    band: { between: [0, 1], colour: '--warn-tint' },
    lines: [
      {
        label: 'Duration, 95 of 100',
        colour: '--warn-fill',
        values: ({ p95Ms }) => p95Ms,
        whole: ({ p95Ms }) => p95Ms,
      },
      {
        label: 'Duration, median',
        colour: '--info-fill',
        values: ({ p50Ms }) => p50Ms,
        whole: ({ p50Ms }) => p50Ms,
      },
      {
        label: 'First token, median',
        colour: '--ok-fill',
        values: ({ firstTokenP50Ms }) => firstTokenP50Ms,
        whole: ({ firstTokenP50Ms }) => firstTokenP50Ms,
      },
      {
        label: 'Wait, 95 of 100',
        colour: '--limit-fill',
        values: ({ queuedP95Ms }) => queuedP95Ms,
        whole: ({ queuedP95Ms }) => queuedP95Ms,
      },
    ],
    describe: ({ p95Ms }) => {
      const slowest = Math.max(0, ...p95Ms.filter((value) => value !== null));
      return slowest > 0 ? `95 of 100 answers took at most ${duration(slowest)}.` : 'There is no answer yet.';
    },
  });
}
