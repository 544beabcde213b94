/**
 * Sends many requests through the browser over four accounts of the sandbox site, and fails if it shows afterwards:
 * the browser's memory at the end must be within 15 % of that after the first hundred, the number of its processes the
 * same, and the latency that the browser path adds to a chunk unchanged. Runs on the built gateway; Linux only.
 *
 *     npm run build && node scripts/soak-browser.mjs [requests, 1000 by default]
 */
import 'reflect-metadata';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountsService } from '../dist/accounts/accounts.service.js';
import { Settings } from '../dist/common/config/settings.js';
import { createGateway } from '../dist/gateway.js';
import { SandboxSite } from '../dist/upstream/sandbox/sandbox-site.js';
import { findBrowser } from './lib/browser.mjs';

const ACCOUNTS = 4;
const BATCH = 100;
const CHUNKS = 20;
const PAGE_BYTES = 4096;
/** Growth that is allowed: of memory as a share, of the median latency in ms (timers are not finer). */
const MEMORY_GROWTH = 0.15;
const LATENCY_GROWTH_MS = 1;
const SETTLE_LIMIT_MS = 20_000;
const requests = Number(process.argv[2] ?? 1000);

const folder = await mkdtemp(join(tmpdir(), 'gateway-soak-'));
const site = new SandboxSite({
  keepPieceTimes: true,
  accounts: Array.from({ length: ACCOUNTS }, (_, index) => ({
    name: `soak-${index + 1}`,
    password: crypto.randomUUID(),
  })),
});
const origin = await site.start();
const gateway = await startGateway();
const { port } = gateway.getHttpServer().address();
const samples = [];
try {
  let sent = 0;
  while (sent < requests) {
    const from = performance.now();
    const count = Math.min(BATCH, requests - sent);
    const latencies = await sendBatch(sent, count);
    sent += count;
    const sample = { sent, ...(await settledBrowser()), latencyMs: median(latencies) };
    samples.push(sample);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(
      `${String(sent).padStart(5)} requests  browser ${megabytes(sample.bytes)} MB  ${sample.processes} processes  ` +
        `added latency p50 ${sample.latencyMs.toFixed(2)} ms  gateway ${megabytes(process.memoryUsage.rss())} MB  (${seconds} s)`,
    );
  }
} finally {
  await gateway.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}
report(samples[0], samples.at(-1));

function report(first, last) {
  const growth = last.bytes / first.bytes - 1;
  const uses = Object.values(Object.groupBy(site.records, ({ account }) => account)).map(
    ({ length }) => length,
  );
  console.log(
    `memory ${(growth * 100).toFixed(1)} %, processes ${last.processes - first.processes}, prompts by account ${uses.join(' ')}`,
  );
  const isGood =
    growth <= MEMORY_GROWTH &&
    last.processes === first.processes &&
    last.latencyMs <= first.latencyMs + LATENCY_GROWTH_MS;
  if (!isGood) {
    console.error('The browser did not stay as it was.');
    process.exitCode = 1;
  }
}

async function startGateway() {
  const recipe = await readFile(new URL('../recipes/sandbox.json', import.meta.url), 'utf8');
  const recipeFile = join(folder, 'recipe.json');
  await writeFile(recipeFile, recipe.replaceAll('{{site.origin}}', origin));
  const settings = Object.assign(new Settings(), {
    PORT: 0,
    PROVIDER: 'web',
    SITE_RECIPE: recipeFile,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    // As many sessions as callers, so that the number of open pages is the same whenever it is looked at.
    POOL_MIN_SESSIONS: ACCOUNTS,
    POOL_MAX_SESSIONS_PER_ACCOUNT: 1,
    BROWSER_EXECUTABLE_PATH: await findBrowser({ executablePath: process.env.BROWSER_EXECUTABLE_PATH }),
  });
  const app = await createGateway(settings);
  await app.listen(0, '127.0.0.1');
  for (const { name, password } of site.accounts) {
    app.get(AccountsService).add(name, { user: name, password });
  }
  return app;
}

/** Sends requests, one caller per account, and returns the latency of each chunk. */
async function sendBatch(first, count) {
  const latencies = [];
  let next = first;
  const caller = async () => {
    while (next < first + count) {
      latencies.push(...(await sendOne(`[[chunks:${CHUNKS}x20ms]] request ${next++} of the soak`)));
    }
  };
  await Promise.all(Array.from({ length: ACCOUNTS }, caller));
  return latencies;
}

/** Milliseconds from the site's writing of each chunk to its arrival here. */
async function sendOne(prompt) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc-max-no-thinking', messages: [{ role: 'user', content: prompt }] }),
  });
  const times = [];
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const now = performance.now();
    text += piece;
    times.push(...Array(piece.split('"content":"').length - 1).fill(now));
  }
  if (!text.endsWith('data: [DONE]\n\n')) {
    throw new Error(`${prompt}: ${response.status} ${text}`);
  }
  const { pieceTimes } = site.records.findLast(({ promptTail }) => promptTail === prompt);
  // The first chunk carries the role and no text.
  return pieceTimes.map((time, at) => times[at + 1] - time);
}

/** Memory and number of the browser's processes, as soon as the number has not changed for two seconds. */
async function settledBrowser() {
  const limit = performance.now() + SETTLE_LIMIT_MS;
  let pids = await browserPids();
  for (let quiet = 0; quiet < 8 && performance.now() < limit; quiet++) {
    await pause(250);
    const now = await browserPids();
    quiet = now.join() === pids.join() ? quiet : 0;
    pids = now;
  }
  const sizes = await Promise.all(pids.map(privateBytes));
  return { processes: pids.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Processes of the browser that this process has started: they form a group. */
async function browserPids() {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  );
  const processes = stats.filter(Boolean).map((stat) => {
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(stat.split(' ', 1)[0]), parent: Number(parent), group };
  });
  const groups = new Set(processes.filter(({ parent }) => parent === process.pid).map(({ group }) => group));
  return processes.filter(({ group }) => groups.has(group)).map(({ pid }) => pid);
}

async function privateBytes(pid) {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0 0');
  const [, resident, shared] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function megabytes(bytes) {
  return Math.round(bytes / 2 ** 20);
}
