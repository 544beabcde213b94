/**
 * Measures what the gateway costs: its processor time per streamed chunk (or per JSON request), as a ratio to a bare
 * Node proxy that does the same work (= 1). Upstream, baseline, gateway and callers are processes of their own;
 * baseline and gateway take turns, and the median of the rounds counts. Linux only.
 *
 *     npm run build && node scripts/bench-hot-path.mjs [options] [scenario …]
 *
 *     scenario               flat, paced or json; all without
 *     --rounds N             rounds of each, 5 by default
 *     --entry PATH           the gateway's entry point, dist/main.js by default
 *     --url URL --pid PID    measures a gateway that runs already, with http://127.0.0.1:PORT/v1 as its upstream
 *     --upstream-port PORT   for that
 *     --key KEY              its bearer key
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS } from './bench/answers.mjs';
import { cpuTime } from './bench/cpu-time.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    entry: { type: 'string', default: join(import.meta.dirname, '..', 'dist', 'main.js') },
    url: { type: 'string' },
    pid: { type: 'string' },
    'upstream-port': { type: 'string', default: '0' },
    key: { type: 'string', default: 'bench-key' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
const children = [];
const dataFolder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));

try {
  await main();
} finally {
  for (const child of children) {
    child.kill('SIGKILL');
    await (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined);
  }
  rmSync(dataFolder, { recursive: true, force: true });
}

async function main() {
  const upstream = await startPart('upstream', options['upstream-port']);
  const baseline = await startPart('baseline', upstream.url);
  const load = track(fork(join(import.meta.dirname, 'bench', 'load.mjs')));
  const gateway = options.url ? { url: options.url, pid: options.pid } : await startGateway(upstream.url);
  for (const name of names) {
    report(name, await measure(name, load, baseline, gateway));
  }
}

async function measure(name, load, baseline, gateway) {
  // The first turn of each warms the compiler up and does not count.
  await runRound(name, load, baseline);
  await runRound(name, load, gateway);
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    rounds.push([await runRound(name, load, baseline), await runRound(name, load, gateway)]);
  }
  return rounds;
}

/** @returns microseconds of processor time per chunk or request */
async function runRound(scenario, load, { url, pid }) {
  const before = cpuTime(pid);
  load.send({ url, key: options.key, model: 'svc-max', scenario });
  const [result] = await once(load, 'message');
  const used = cpuTime(pid) - before;
  if (result.errors > 0) {
    throw new Error(
      `${result.errors} of ${result.requests} requests failed, the first with: ${result.firstError}`,
    );
  }
  return used / 1000 / result.requests / SCENARIOS[scenario].per;
}

function report(name, rounds) {
  const { about, unit } = SCENARIOS[name];
  const [baseline, gateway] = [0, 1].map((index) => median(rounds.map((round) => round[index])));
  const ratios = rounds.map(([base, measured]) => measured / base);
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const cost = `${gateway.toFixed(1)} µs against ${baseline.toFixed(1)} µs per ${unit}`;
  console.log(`${about.padEnd(34)} ${median(ratios).toFixed(2)}  (${spread}; ${cost})`);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

async function startPart(part, ...args) {
  const child = track(fork(join(import.meta.dirname, 'bench', `${part}.mjs`), args));
  const [{ url }] = await once(child, 'message');
  return { url, pid: child.pid };
}

async function startGateway(upstreamUrl) {
  const child = track(
    spawn(process.execPath, [options.entry], {
      cwd: dataFolder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PROVIDER: 'openai',
        UPSTREAM_BASE_URL: upstreamUrl,
        UPSTREAM_API_KEYS: 'bench-upstream-key',
        API_KEY: options.key,
        PORT: '0',
        DATA_DIR: dataFolder,
        POOL_MAX_SESSIONS: '256',
        POOL_MAX_SESSIONS_PER_ACCOUNT: '256',
      },
    }),
  );
  return { url: await baseUrlOf(child), pid: child.pid };
}

/** The gateway prints its address when it listens. What it logs afterwards is read and dropped. */
function baseUrlOf(child) {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.on('exit', (code) => reject(new Error(`The gateway ended with code ${code}: ${printed}`)));
    child.stdout.on('data', (piece) => {
      printed = (printed + piece).slice(-10_000);
      const url = /base URL\s+(\S+)/.exec(printed)?.[1];
      if (url) {
        resolve(url);
      }
    });
  });
}

function track(child) {
  children.push(child);
  return child;
}
