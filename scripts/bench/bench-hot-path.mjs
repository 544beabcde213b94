/**
 * Measures what the gateway costs: its processor time per streamed chunk (or per JSON request), as a ratio to a bare
 * Node proxy that does the same work (= 1). Upstream, baseline, gateway and callers are processes of their own;
 * baseline and gateway take turns, first to warm V8's compilers up, and the median of the rounds counts. Linux only.
 *
 *     npm run build && node scripts/bench/bench-hot-path.mjs [options] [scenario …]
 *
 *     scenario               flat, paced or json; all without
 *     --rounds N             rounds of each, 5 by default
 *     --entry PATH           the gateway's entry point, dist/main.js by default
 *     --url URL --pid PID    measures a gateway that runs already, with http://127.0.0.1:PORT/v1 as its upstream
 *     --upstream-port PORT   for that
 *     --key KEY              its bearer key
 *     --endpoint NAME        measures another endpoint, e.g. messages, against the gateway's own chat completions (= 1)
 *     --recording            measures a gateway with RECORD_UPSTREAM=all against one without (= 1)
 *     --against URL          measures the chat completions of any OpenAI-format gateway beside this one, under the same
 *                            load, and prints a table. Its URL ends in /v1; it must have http://127.0.0.1:PORT/v1 of
 *                            --upstream-port as its upstream. May be given more than once, and may be the path of a JSON
 *                            file with a list of { name, url, pid, key, model, headers, requests }
 *     --against-pid PID      its process, for its processor time; without it only rates and latencies are compared
 *     --against-key KEY      its bearer key, none by default
 *     --against-model MODEL  the name of a model there, bench by default
 */
import { parseArgs } from 'node:util';
import { SCENARIOS } from './kit/answers.mjs';
import { compare, comparisonTable } from './kit/comparison.mjs';
import { cpuTime } from './kit/cpu-time.mjs';
import { peersOf } from './kit/peers.mjs';
import { BenchProcesses, runLoad } from './kit/processes.mjs';
import { median } from './kit/statistics.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    entry: { type: 'string' },
    url: { type: 'string' },
    pid: { type: 'string' },
    'upstream-port': { type: 'string', default: '0' },
    key: { type: 'string', default: 'bench-key' },
    endpoint: { type: 'string' },
    recording: { type: 'boolean', default: false },
    against: { type: 'string', multiple: true },
    'against-pid': { type: 'string' },
    'against-key': { type: 'string' },
    'against-model': { type: 'string', default: 'bench' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
const processes = new BenchProcesses();

try {
  await main();
} finally {
  await processes.end();
}

async function main() {
  const { entry, key, url, pid } = options;
  const upstream = await processes.startPart('upstream', options['upstream-port']);
  const isOwnBaseline = options.recording || (options.endpoint && !options.against);
  const proxy = isOwnBaseline ? undefined : await processes.startPart('baseline', upstream.url);
  const load = processes.fork('load');
  const start = (env) =>
    processes.startGateway({ upstreamUrl: upstream.url, key, env, ...(entry && { entry }) });
  const gateway = url ? { url, pid } : await start({});
  const recorder = options.recording ? await start({ RECORD_UPSTREAM: 'all' }) : undefined;
  if (options.against) {
    await printComparison(load, proxy, gateway);
    return;
  }
  for (const name of names) {
    const measured = { ...(recorder ?? gateway), endpoint: options.endpoint };
    report(name, await measure(name, load, proxy ?? gateway, measured));
  }
}

async function printComparison(load, proxy, gateway) {
  const { key, rounds } = options;
  const peers = peersOf({
    against: options.against,
    pid: options['against-pid'],
    key: options['against-key'],
    model: options['against-model'],
  });
  for (const scenario of names) {
    const { about, unit, warmUpTurns, per } = SCENARIOS[scenario];
    const gatewayOf = (name, { url, pid }, round) => ({
      name,
      pid,
      run: () => runLoad(load, { url, scenario, ...round }),
    });
    const gateways = [
      gatewayOf('bare proxy', proxy, { key }),
      gatewayOf('this gateway', gateway, { key }),
      ...peers.map(({ name, url, pid, ...access }) => gatewayOf(name, { url, pid }, access)),
    ];
    const figures = await compare(gateways, { rounds: Number(rounds), warmUpTurns, per });
    console.log(`\n${about} (processor time of each ${unit})\n\n${comparisonTable(figures)}`);
  }
}

async function measure(name, load, baseline, gateway) {
  const rounds = [];
  const { warmUpTurns } = SCENARIOS[name];
  for (let round = -warmUpTurns; round < Number(options.rounds); round++) {
    const figures = [await runRound(name, load, baseline), await runRound(name, load, gateway)];
    if (round >= 0) {
      rounds.push(figures);
    }
  }
  return rounds;
}

/** @returns microseconds of processor time per chunk or request */
async function runRound(scenario, load, { url, pid, endpoint }) {
  const before = cpuTime(pid);
  const { requests } = await runLoad(load, { url, key: options.key, scenario, endpoint });
  return (cpuTime(pid) - before) / 1000 / requests / SCENARIOS[scenario].per;
}

function report(name, rounds) {
  const { about, unit } = SCENARIOS[name];
  const [baseline, gateway] = [0, 1].map((index) => median(rounds.map((round) => round[index])));
  const ratios = rounds.map(([base, measured]) => measured / base);
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const cost = `${gateway.toFixed(1)} µs against ${baseline.toFixed(1)} µs per ${unit}`;
  console.log(`${about.padEnd(34)} ${median(ratios).toFixed(2)}  (${spread}; ${cost})`);
}
