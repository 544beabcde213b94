/**
 * Measures the resident memory of the gateway's process: at rest, at the peak of each load of `npm run bench`, and at rest
 * again. Linux only.
 *
 *     npm run bench:memory [-- --heap MIB]
 *
 *     --heap MIB   limit of the old generation (`--max-old-space-size`); by default Node's own, by the machine's memory
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SCENARIOS } from '../answers.mjs';
import { BenchProcesses, runLoad } from '../processes.mjs';

const KEY = 'bench-key';
/** The gateway gives the memory of its start back after 2 s, and that of its reading thread after 10 s. */
const REST_MS = 15_000;
const ROUNDS = 5;

const { values: options } = parseArgs({ options: { heap: { type: 'string' } } });
const env = options.heap ? { NODE_OPTIONS: `--max-old-space-size=${options.heap}` } : {};
const processes = new BenchProcesses();

try {
  const { url: upstreamUrl } = await processes.startPart('upstream', '0');
  const load = processes.fork('load');
  const { url, pid } = await processes.startGateway({ upstreamUrl, key: KEY, env });
  await wait(REST_MS);
  print('at rest', memory(pid, 'VmRSS'));
  for (const [scenario, { about }] of Object.entries(SCENARIOS)) {
    // Has the peak begin anew (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    for (let round = 0; round < ROUNDS; round++) {
      await runLoad(load, { url, key: KEY, scenario });
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
