import { cpuTime } from './cpu-time.mjs';
import { median } from './statistics.mjs';

/** Columns of the table: title, and what it shows of a gateway's figures beside those of the bare proxy. */
const COLUMNS = [
  ['gateway', ({ name }) => name],
  ['CPU, bare proxy = 1', ({ cpu }, bare) => (cpu === undefined ? '–' : (cpu / bare.cpu).toFixed(2))],
  ['µs each', ({ cpu }) => (cpu === undefined ? '–' : cpu.toFixed(1))],
  ['requests/s', ({ rate }) => rate.toFixed(0)],
  ['latency, bare proxy = 1', ({ latencyMs }, bare) => (latencyMs / bare.latencyMs).toFixed(2)],
  ['ms', ({ latencyMs }) => latencyMs.toFixed(1)],
];

/**
 * Figures of several gateways under one load, in turns, each the median of its rounds.
 *
 * @param gateways `{ name, pid, run }`, where `run` has the callers run one round on it and returns what they report;
 *   without a `pid`, its processor time is unknown
 * @param warmUpTurns turns of each that do not count
 * @param per chunks of each answer, or 1
 * @returns `{ name, cpu, rate, latencyMs }` of each: microseconds of processor time per chunk or request
 */
export async function compare(gateways, { rounds, warmUpTurns, per }) {
  const results = gateways.map(() => []);
  for (let round = -warmUpTurns; round < rounds; round++) {
    for (const [index, gateway] of gateways.entries()) {
      const result = await measure(gateway, per);
      if (round >= 0) {
        results[index].push(result);
      }
    }
  }
  return gateways.map(({ name, pid }, index) => {
    const of = (key) => median(results[index].map((result) => result[key]));
    return {
      name,
      cpu: pid === undefined ? undefined : of('cpu'),
      rate: of('rate'),
      latencyMs: of('latencyMs'),
    };
  });
}

async function measure({ pid, run }, per) {
  const before = pid === undefined ? 0 : cpuTime(pid);
  const { requests, seconds, latencyMs } = await run();
  const used = pid === undefined ? 0 : cpuTime(pid) - before;
  return { cpu: used / 1000 / requests / per, rate: requests / seconds, latencyMs };
}

/** The figures as a table in Markdown. @param figures of `compare`, those of the bare proxy first */
export function comparisonTable(figures) {
  const [bare] = figures;
  const rows = figures.map((figure) => COLUMNS.map(([, show]) => show(figure, bare)));
  const lines = [COLUMNS.map(([title]) => title), COLUMNS.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
