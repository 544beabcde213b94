/**
 * Compares the cost of this build with that of another, e.g. of the release before. Two processes of each serve the
 * same load, every request going to all of them, so that a machine whose speed changes changes it for all alike: one run
 * tells some 3 % apart, where two runs of `npm run bench` differ by more than 10 %. The two processes of one build show
 * what chance does. Linux only.
 *
 *     npm run bench:builds -- --beside PATH [--rounds N] [scenario …]
 *
 *     scenario       flat, paced or json; json without
 *     --beside PATH  the other build's dist/main.js
 *     --rounds N     rounds of each, 12 by default
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './kit/answers.mjs';
import { cpuTime } from './kit/cpu-time.mjs';
import { BenchProcesses, runLoad } from './kit/processes.mjs';
import { median } from './kit/statistics.mjs';

const KEY = 'bench-key';
const OWN = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' }, rounds: { type: 'string', default: '12' } },
});
if (!options.beside) {
  throw new Error('--beside PATH names the other build: its dist/main.js');
}
const processes = new BenchProcesses();

try {
  const upstream = await processes.startPart('upstream', '0');
  const bare = await processes.startPart('baseline', upstream.url);
  const load = processes.fork('load');
  const measured = [{ name: 'bare proxy', ...bare }];
  for (const [name, entry] of [
    ['the other', options.beside],
    ['this', OWN],
    ['the other, again', options.beside],
    ['this, again', OWN],
  ]) {
    measured.push({
      name,
      ...(await processes.startGateway({ upstreamUrl: upstream.url, key: KEY, entry })),
    });
  }
  for (const scenario of positionals.length > 0 ? positionals : ['json']) {
    report(scenario, measured, await measure(load, scenario, measured));
  }
} finally {
  await processes.end();
}

/** @returns of each round, the microseconds of processor time that each process took for a chunk or request */
async function measure(load, scenario, measured) {
  const { warmUpTurns, requests, per } = SCENARIOS[scenario];
  const rounds = [];
  for (let round = -warmUpTurns; round < Number(options.rounds); round++) {
    // Another one is the first each round.
    const first = (round + warmUpTurns) % measured.length;
    const inTurn = [...measured.slice(first), ...measured.slice(0, first)];
    const before = measured.map(({ pid }) => cpuTime(pid));
    await runLoad(load, { url: inTurn.map(({ url }) => url), key: KEY, scenario });
    if (round >= 0) {
      rounds.push(measured.map(({ pid }, index) => (cpuTime(pid) - before[index]) / 1000 / requests / per));
    }
  }
  return rounds;
}

function report(scenario, measured, rounds) {
  const { about, unit } = SCENARIOS[scenario];
  console.log(`\n${about}: processor time, bare proxy = 1\n`);
  for (const [index, { name }] of measured.entries()) {
    const ratio = median(rounds.map((costs) => costs[index] / costs[0]));
    const cost = median(rounds.map((costs) => costs[index]));
    console.log(`${name.padEnd(20)} ${ratio.toFixed(3)}  (${cost.toFixed(1)} µs per ${unit})`);
  }
}
