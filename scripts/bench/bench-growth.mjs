/**
 * Measures how the cost of a request grows with its messages, its tools, its bytes, the streams at the same time, the
 * accounts of the pool and the records in the log: processor time of the gateway, and as a ratio to a bare proxy. Linux only.
 *
 *     npm run bench:growth [-- [--rounds N] [--records N, 1000000 by default] [dimension …]]
 *
 *     dimension   messages, tools, emulated-tools, bytes, streams, accounts or records; all without
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CHUNKS } from './kit/answers.mjs';
import { cpuTime } from './kit/cpu-time.mjs';
import { growthTable } from './kit/growth-table.mjs';
import { BenchProcesses, runLoad } from './kit/processes.mjs';
import { median } from './kit/statistics.mjs';

const KEY = 'bench-key';
const KILOBYTE = 2 ** 10;
const MEGABYTE = 2 ** 20;
/** Characters of text that all requests of a round have together. */
const ROUND_BYTES = 32 * MEGABYTE;
/** Completions until the log is measured again: each leaves two records. */
const FILLING = { scenario: 'json', concurrency: 64 };

/** Each size with the round of callers that measures it. */
const MESSAGES = [2, 10, 100, 1000].map((messages) => smallRound(messages, { messages }));
const TOOLS = [1, 10, 100].map((tools) => smallRound(tools, { tools }));
const BYTES = [KILOBYTE, 16 * KILOBYTE, 256 * KILOBYTE, 4 * MEGABYTE, 16 * MEGABYTE].map((bytes) => ({
  ...smallRound(bytes, { bytes }),
  concurrency: bytes < MEGABYTE ? 16 : 2,
  requests: Math.max(8, Math.min(600, ROUND_BYTES / bytes)),
}));
const STREAMS = [1, 10, 100, 1000, 3000].map((streams) => ({
  size: streams,
  scenario: 'paced',
  concurrency: streams,
  requests: Math.max(4, streams),
}));
const ACCOUNTS = [1, 10, 100, 1000];

/** By name: how it is measured, given the gateway's settings. */
const DIMENSIONS = {
  messages: () => measureSizes('messages', 'µs a request', MESSAGES),
  tools: () => measureSizes('tools', 'µs a request', TOOLS),
  'emulated-tools': () =>
    measureSizes('tools told in the prompt', 'µs a request', TOOLS, { TOOL_MODE: 'emulated' }),
  bytes: () => measureSizes('bytes', 'µs a request', BYTES),
  streams: () => measureSizes('streams at once', 'µs a chunk', STREAMS),
  accounts: () => measureAccounts(ACCOUNTS),
  records: () => measureRecords([0, 0.01, 0.1, 1].map((share) => share * Number(options.records))),
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, records: { type: 'string', default: '1000000' } },
});
const processes = new BenchProcesses();
// The sizes are to be measured, not the window of a model.
processes.configure({ models: { 'svc-max': { contextWindow: 64 * MEGABYTE } } });
const load = processes.fork('load');
let upstream;
let bare;

try {
  upstream = await processes.startPart('upstream', '0');
  bare = await processes.startPart('baseline', upstream.url);
  for (const name of positionals.length > 0 ? positionals : Object.keys(DIMENSIONS)) {
    console.log(`\n${await DIMENSIONS[name]()}`);
  }
} finally {
  await processes.end();
}

function smallRound(size, growth) {
  return { size, growth, scenario: 'json', concurrency: 16, requests: 600 };
}

async function measureSizes(title, unit, sizes, env = {}) {
  const gateway = await startGateway(env);
  const points = [];
  for (const { size, ...round } of sizes) {
    points.push({ size, ...(await measure(gateway, round)) });
  }
  return growthTable(title, unit, points);
}

/** Each number of accounts is a gateway of its own. */
async function measureAccounts(counts) {
  const points = [];
  for (const size of counts) {
    const keys = Array.from({ length: size }, (_, at) => `key-${at}`);
    const gateway = await startGateway({ UPSTREAM_API_KEYS: keys.join(',') });
    points.push({ size, ...(await measure(gateway, { scenario: 'json', requests: 1500 })) });
    await gateway.stop();
  }
  return growthTable('accounts', 'µs a request', points);
}

/** @param counts of records, rising */
async function measureRecords(counts) {
  const gateway = await startGateway({ LOG_MAX_BYTES: '64gb', LOG_RETENTION_DAYS: '365' });
  const { origin } = new URL(gateway.url);
  const costs = [];
  const reads = [];
  for (const size of counts) {
    await fill(gateway, origin, size);
    costs.push({ size, ...(await measure(gateway, { scenario: 'json', requests: 1500 })) });
    reads.push({ size, cost: await readTime(origin) });
  }
  return [
    growthTable('records in the log', 'µs a request', costs),
    growthTable('records in the log', 'ms a page of the log', reads),
  ].join('\n\n');
}

function startGateway(env) {
  const room = { POOL_MAX_SESSIONS: '4096', POOL_MAX_SESSIONS_PER_ACCOUNT: '4096' };
  return processes.startGateway({ upstreamUrl: upstream.url, key: KEY, env: { ...room, ...env } });
}

/** @returns medians of gateway and bare proxy, which take turns */
async function measure(gateway, round) {
  const costs = { gateway: [], bare: [] };
  // The first round warms the compiler up and does not count.
  for (let turn = -1; turn < Number(options.rounds); turn++) {
    const figures = { bare: await costOf(bare, round), gateway: await costOf(gateway, round) };
    if (turn >= 0) {
      costs.gateway.push(figures.gateway);
      costs.bare.push(figures.bare);
    }
  }
  return { cost: median(costs.gateway), bare: median(costs.bare) };
}

/** @returns microseconds of processor time per request, or per chunk of a stream */
async function costOf({ url, pid }, round) {
  const before = cpuTime(pid);
  const { requests } = await runLoad(load, { url, key: KEY, ...round });
  return (cpuTime(pid) - before) / 1000 / requests / (round.scenario === 'paced' ? CHUNKS : 1);
}

async function fill(gateway, origin, records) {
  const missing = records - (await logEntries(origin));
  if (missing > 0) {
    await runLoad(load, { url: gateway.url, key: KEY, ...FILLING, requests: Math.ceil(missing / 2) });
  }
  while ((await logEntries(origin)) < records) {
    await wait(100);
  }
}

async function logEntries(origin) {
  const { log } = await getJson(`${origin}/dashboard/api/overview?minutes=15`);
  return log.entries;
}

/** @returns median milliseconds until a page of the log is there */
async function readTime(origin) {
  const times = [];
  for (let turn = 0; turn < 7; turn++) {
    const began = performance.now();
    await getJson(`${origin}/log/json?status=ok&limit=50`);
    times.push(performance.now() - began);
  }
  return median(times);
}

async function getJson(url) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
  if (!response.ok) {
    throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  }
  return response.json();
}
