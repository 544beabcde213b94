/**
 * Measures what callers of streams wait for: the time to the first text, and the delay of each further chunk on its way from
 * the upstream to the caller, with the log on, beside a bare Node proxy (= 1). A hundred streams with a chunk every 20 ms
 * either begin evenly spread over a second, or all at once. Both take turns; of the rounds of each the median counts.
 *
 *     npm run bench:tails -- [--rounds N, 7 by default] [--streams N, 100 by default] [--entry PATH, dist/main.js by default]
 *       [--node-options=OPTIONS, e.g. "--single-threaded-gc": measures another gateway that has them, too]
 */
import { parseArgs } from 'node:util';
import { BenchProcesses, runLoad } from '../kit/processes.mjs';
import { median, quantile } from '../kit/statistics.mjs';

const KEY = 'bench-key';
/** Requests of each caller in a round. */
const TURNS = 4;
/** Small requests to each beforehand, as in the other benchmarks. */
const WARM_UP_REQUESTS = 14_000;
const SHARES = [0.5, 0.95, 0.99];

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    streams: { type: 'string', default: '100' },
    entry: { type: 'string' },
    'node-options': { type: 'string' },
  },
});
const streams = Number(options.streams);
const processes = new BenchProcesses();

try {
  const { entry, 'node-options': nodeOptions } = options;
  const { url: upstreamUrl } = await processes.startPart('upstream', '0');
  const gateway = { upstreamUrl, key: KEY, ...(entry && { entry }) };
  const measured = [
    await processes.startPart('baseline', upstreamUrl),
    await processes.startGateway(gateway),
    ...(nodeOptions
      ? [await processes.startGateway({ ...gateway, nodeOptions: nodeOptions.split(' ') })]
      : []),
  ];
  const url = measured.map((one) => one.url);
  await runLoad(processes.fork('load'), { url, key: KEY, scenario: 'json', requests: WARM_UP_REQUESTS });
  const load = processes.fork('../tails/tails-load');
  for (const isSpread of [true, false]) {
    const rounds = measured.map(() => []);
    for (let round = -1; round < Number(options.rounds); round++) {
      for (const [index, { url }] of measured.entries()) {
        const report = await runLoad(load, { url, key: KEY, streams, turns: TURNS, isSpread });
        if (round >= 0) {
          rounds[index].push(report);
        }
      }
    }
    console.log(`\n${streams} streams, which begin ${isSpread ? 'evenly spread' : 'all at once'}, in ms:`);
    print('time to the first text', rounds, ({ firstMs }) => firstMs);
    print('delay of a chunk', rounds, ({ delaysMs }) => delaysMs);
  }
} finally {
  await processes.end();
}

function print(about, rounds, timesOf) {
  for (const share of SHARES) {
    const [bare, ...gateways] = rounds.map((reports) =>
      median(reports.map((report) => quantile(timesOf(report), share))),
    );
    for (const [index, time] of gateways.entries()) {
      const name = index === 0 ? about : '  with the options';
      const times = `${time.toFixed(2)} against ${bare.toFixed(2)}`;
      console.log(`${name.padEnd(24)} p${share * 100}  ${(time / bare).toFixed(2)} ×  (${times})`);
    }
  }
}
