/**
 * Measures the resident memory of the gateway's process: at rest, at the peak of each load of `npm run bench` and of two
 * heavier ones, and at rest again. Fails if a request fails, so if the memory does not suffice. Linux only.
 *
 *     npm run bench:memory [-- --heap MIB] [--semi-space MIB]
 *
 *     --heap MIB   limit of the old generation (`--max-old-space-size`); by default Node's own, by the machine's memory:
 *                256 in a container of 512 MB
 *     --semi-space MIB   likewise of a half of the young one (`--max-semi-space-size`); 16 by default
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SCENARIOS } from '../kit/answers.mjs';
import { BenchProcesses, runLoad } from '../kit/processes.mjs';

const KEY = 'bench-key';
/**
 * The gateway gives the memory of its start back after 2 s and that of its reading thread after 10 s; the engine collects
 * in its other threads after some 20 s.
 */
const REST_MS = 30_000;
const ROUNDS = 5;
const STREAMS = 500;
const PROMPTS = 40;
const LOADS = [
  ...Object.entries(SCENARIOS).map(([scenario, { about }]) => ({ about, scenario })),
  { about: `${STREAMS} streams at once`, scenario: 'paced', concurrency: STREAMS, requests: STREAMS },
  {
    about: `${PROMPTS} streams with prompts of 1 MB`,
    scenario: 'paced',
    concurrency: PROMPTS,
    requests: PROMPTS,
    growth: { bytes: 2 ** 20 },
  },
];

const { values: options } = parseArgs({
  options: { heap: { type: 'string' }, 'semi-space': { type: 'string' } },
});
const flags = [
  options.heap && `--max-old-space-size=${options.heap}`,
  options['semi-space'] && `--max-semi-space-size=${options['semi-space']}`,
].filter(Boolean);
const env = {
  POOL_MAX_SESSIONS: String(STREAMS),
  POOL_MAX_SESSIONS_PER_ACCOUNT: String(STREAMS),
  // With a small heap, large prompts wait for each other for longer than by default.
  POOL_ACQUIRE_TIMEOUT_MS: '600000',
  ...(flags.length > 0 && { NODE_OPTIONS: flags.join(' ') }),
};
const processes = new BenchProcesses();

try {
  const { url: upstreamUrl } = await processes.startPart('upstream', '0');
  const load = processes.fork('load');
  const { url, pid } = await processes.startGateway({ upstreamUrl, key: KEY, env });
  await wait(REST_MS);
  print('at rest', memory(pid, 'VmRSS'));
  for (const { about, ...round } of LOADS) {
    // Has the peak begin anew (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    for (let turn = 0; turn < ROUNDS; turn++) {
      await runLoad(load, { url, key: KEY, ...round });
    }
    print(`peak of ${about}`, memory(pid, 'VmHWM'));
  }
  await wait(REST_MS);
  print('at rest again', memory(pid, 'VmRSS'));
} finally {
  await processes.end();
}

/** @returns mebibytes */
function memory(pid, field) {
  const [, kibibytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kibibytes) / 1024;
}

function print(name, mebibytes) {
  console.log(`${name.padEnd(42)} ${mebibytes.toFixed(0)} MiB`);
}
