/**
 * Measures a start with `PROVIDER=openai`: how long it takes until the gateway listens, with and without compiled code
 * kept from the last one, and what the first 2,000 requests after the start and after a pause cost beside later ones, in
 * processor time of the process. Linux only.
 *
 *     npm run bench:start -- [--starts N, 5 of each by default] [--scenario json or flat, json by default]
 *                            [--pause SECONDS, 130 by default: V8 collects a process at rest after 100 at the latest]
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './kit/answers.mjs';
import { cpuTime } from './kit/cpu-time.mjs';
import { BenchProcesses, runLoad } from './kit/processes.mjs';
import { median } from './kit/statistics.mjs';

/** Requests of each step; together they are the first 2,000. */
const STEPS = [200, 800, 1000];
/** Requests after which V8's optimizing compiler rests. */
const WARM_AFTER = 30_000;
const STEADY = 3000;
const COMPILE_AHEAD = join(import.meta.dirname, '..', '..', 'dist', 'compile-ahead.js');

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    scenario: { type: 'string', default: 'json' },
    pause: { type: 'string', default: '130' },
  },
});
const processes = new BenchProcesses();

try {
  const upstream = await processes.startPart('upstream', '0');
  await measureStarts(upstream.url);
  await measureRequests(upstream.url, processes.fork('load'));
} finally {
  await processes.end();
}

/** Both kinds take turns, so that what else the machine does meets them alike. */
async function measureStarts(upstreamUrl) {
  // Gateways that are killed do not keep what they have compiled.
  execFileSync(process.execPath, [COMPILE_AHEAD]);
  const kinds = [
    { about: 'start with compiled code', env: {}, starts: [] },
    { about: 'start without', env: { NODE_DISABLE_COMPILE_CACHE: '1' }, starts: [] },
  ];
  for (let turn = 0; turn < Number(options.starts); turn++) {
    for (const { env, starts } of kinds) {
      starts.push(await measureStart(upstreamUrl, env));
    }
  }
  for (const { about, starts } of kinds) {
    const [listening, cpu] = ['listeningMs', 'cpuMs'].map((key) => median(starts.map((start) => start[key])));
    console.log(
      `${about.padEnd(26)} listens after ${listening.toFixed(0)} ms; processor time ${cpu.toFixed(0)} ms`,
    );
  }
}

async function measureStart(upstreamUrl, env) {
  const began = performance.now();
  const gateway = await processes.startGateway({ upstreamUrl, env });
  const listeningMs = performance.now() - began;
  const cpuMs = cpuTime(gateway.pid) / 1e6;
  await gateway.stop();
  return { listeningMs, cpuMs };
}

async function measureRequests(upstreamUrl, load) {
  const gateway = await processes.startGateway({ upstreamUrl });
  const spent = async (requests) => {
    const before = cpuTime(gateway.pid);
    await runLoad(load, { url: gateway.url, scenario: options.scenario, requests });
    return (cpuTime(gateway.pid) - before) / 1000;
  };
  const first = await stepCosts(spent);
  await spent(WARM_AFTER - sum(STEPS));
  const steady = (await spent(STEADY)) / STEADY;
  print('after the start', first, steady);
  await wait(Number(options.pause) * 1000);
  print(`after a pause of ${options.pause} s`, await stepCosts(spent), steady);
}

async function stepCosts(spent) {
  const costs = [];
  for (const requests of STEPS) {
    costs.push(await spent(requests));
  }
  return costs;
}

function print(moment, costs, steady) {
  const each = sum(costs) / sum(STEPS);
  const steps = STEPS.map((requests, index) => (costs[index] / requests).toFixed(0)).join(', ');
  console.log(
    `${SCENARIOS[options.scenario].about}: the first ${sum(STEPS)} ${moment} cost ${(each / steady).toFixed(2)} × later ` +
      `ones (${each.toFixed(0)} µs against ${steady.toFixed(0)}; by steps of ${STEPS.join(', ')}: ${steps})`,
  );
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
