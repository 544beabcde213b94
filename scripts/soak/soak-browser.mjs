/**
 * F36: sends many requests through the browser over four accounts of the sandbox site, and fails if it shows afterwards:
 * the browser's memory at the end must be within 15 % of that after the first hundred, the number of its processes the
 * same, and the latency that the browser path adds to a chunk unchanged. Runs on the built gateway; Linux only.
 *
 *     npm run test:soak -- browser [requests, 1000 by default]
 */
import { readArrivals } from '../bench/kit/arrivals.mjs';
import { settledBrowserSize } from '../bench/kit/browser-size.mjs';
import { startSandboxGateway } from '../bench/kit/sandbox-gateway.mjs';
import { quantile } from '../bench/kit/statistics.mjs';

const ACCOUNTS = 4;
const BATCH = 100;
const CHUNKS = 20;
/** Growth that is allowed: of memory as a share, of the median latency in ms (timers are not finer). */
const MEMORY_GROWTH = 0.15;
const LATENCY_GROWTH_MS = 1;
const requests = Number(process.argv[3] ?? 1000);

const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
  name: `soak-${index + 1}`,
  password: crypto.randomUUID(),
}));
const { site, complete, close } = await startSandboxGateway(
  { accounts },
  // As many sessions as callers, so that the number of open pages is the same whenever it is looked at.
  { POOL_MIN_SESSIONS: ACCOUNTS, POOL_MAX_SESSIONS_PER_ACCOUNT: 1 },
);
const samples = [];
try {
  let sent = 0;
  while (sent < requests) {
    const from = performance.now();
    const count = Math.min(BATCH, requests - sent);
    const latencies = await sendBatch(sent, count);
    sent += count;
    const sample = { sent, ...(await settledBrowserSize()), latencyMs: quantile(latencies, 0.5) };
    samples.push(sample);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(
      `${String(sent).padStart(5)} requests  browser ${megabytes(sample.bytes)} MB  ${sample.processes} processes  ` +
        `added latency p50 ${sample.latencyMs.toFixed(2)} ms  gateway ${megabytes(process.memoryUsage.rss())} MB  (${seconds} s)`,
    );
  }
} finally {
  await close();
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
  const response = await complete(prompt);
  const { text, times } = await readArrivals(response);
  if (!text.endsWith('data: [DONE]\n\n')) {
    throw new Error(`${prompt}: ${response.status} ${text}`);
  }
  const { pieceTimes } = site.records.findLast(({ promptTail }) => promptTail === prompt);
  return pieceTimes.map((time, at) => times[at] - time);
}

function megabytes(bytes) {
  return Math.round(bytes / 2 ** 20);
}
