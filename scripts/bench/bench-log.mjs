/**
 * Measures what the log costs and how fast it is read. First the latency of a completion with LOG_CONTENT `full` as a
 * ratio to that with `none`, one request after the other, the upstream answering at once; then, with 100,000 records
 * stored, the time that queries take, and the time until a page of the dashboard shows them.
 *
 *     npm run build && node scripts/bench/bench-log.mjs [--rounds N, 15 by default] [--requests N, 50000 by default]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer';
import { findBrowser } from '../lib/browser.mjs';
import { SCENARIOS } from './kit/answers.mjs';
import { BenchProcesses, runLoad } from './kit/processes.mjs';
import { median, quantile } from './kit/statistics.mjs';

/** Requests of one kind before the other has its turn. */
const TURN = 300;
const REPEATS = 7;
const QUERIES = [
  '/log/json',
  '/log/json?kind=network',
  '/log/json?q=nothing-like-this',
  '/dashboard/api/overview?minutes=60',
];
/** Pages, and what shows that they are of use. */
const PAGES = [
  ['/dashboard/logs', '.entries .entry'],
  ['/dashboard', '.uplot'],
  ['/dashboard/network', '.exchange-list li'],
];

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '50000' },
  },
});
const processes = new BenchProcesses();
try {
  const upstream = await processes.startPart('upstream', '0');
  const { url } = await processes.startGateway({ upstreamUrl: upstream.url });
  const load = processes.fork('load');
  const { origin } = new URL(url);
  for (const scenario of ['json', 'flat']) {
    await compareLatency(scenario, (round) => runLoad(load, { url, scenario, ...round }), origin);
  }
  await fill(load, url, origin);
  for (const path of QUERIES) {
    await timeQuery(path, origin);
  }
  await timePages(origin);
} finally {
  await processes.end();
}

async function compareLatency(scenario, run, origin) {
  const turns = { none: [], full: [] };
  // The first round warms the compiler up and does not count.
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const mode of round % 2 === 0 ? ['none', 'full'] : ['full', 'none']) {
      await setLogContent(origin, mode);
      const { latencyMs } = await run({ requests: TURN, concurrency: 1 });
      turns[mode].push(...(round === 0 ? [] : [latencyMs]));
    }
  }
  const ratios = turns.full.map((latency, round) => latency / turns.none[round]);
  const spread = `${quantile(ratios, 0).toFixed(2)}–${quantile(ratios, 1).toFixed(2)}`;
  const [none, full] = [turns.none, turns.full].map((latencies) => median(latencies).toFixed(3));
  console.log(
    `${SCENARIOS[scenario].about}: full / none ${median(ratios).toFixed(3)}  (${spread}; ${full} ms against ${none} ms)`,
  );
}

async function setLogContent(origin, mode) {
  const url = `${origin}/dashboard/api/settings`;
  const { headers } = await fetch(url);
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'if-match': headers.get('etag') },
    body: JSON.stringify({ values: { LOG_CONTENT: mode } }),
  });
  if (!response.ok) {
    throw new Error(`LOG_CONTENT could not be set: ${await response.text()}`);
  }
}

async function fill(load, url, origin) {
  const requests = Number(options.requests);
  const before = await logStats(origin);
  const { seconds } = await runLoad(load, { url, scenario: 'json', requests });
  const answered = performance.now();
  let stored;
  do {
    await wait(20);
    stored = await logStats(origin);
  } while (stored.entries + stored.dropped < before.entries + 2 * requests);
  const behind = performance.now() - answered;
  console.log(
    `${requests} completions, ${Math.round(requests / seconds)} a second: ${stored.entries} records, ` +
      `${stored.dropped} dropped, ${Math.round(stored.bytes / 1e6)} MB, the last stored within ${behind.toFixed(0)} ms`,
  );
}

async function logStats(origin) {
  const { log } = await (await fetch(`${origin}/dashboard/api/overview?minutes=15`)).json();
  return log;
}

async function timeQuery(path, origin) {
  const times = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const began = performance.now();
    await (await fetch(origin + path)).json();
    times.push(performance.now() - began);
  }
  reportTimes(path, times);
}

async function timePages(origin) {
  const browser = await puppeteer.launch({
    executablePath: await findBrowser({
      executablePath: process.env.BROWSER_EXECUTABLE_PATH,
      noSandbox: true,
    }),
    // Trusted pages only.
    args: ['--no-sandbox'],
  });
  try {
    for (const [path, selector] of PAGES) {
      const times = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const context = await browser.createBrowserContext();
        const page = await context.newPage();
        const began = performance.now();
        await page.goto(origin + path, { waitUntil: 'domcontentloaded' });
        await page.waitForSelector(selector);
        times.push(performance.now() - began);
        await context.close();
      }
      reportTimes(`page ${path}`, times);
    }
  } finally {
    await browser.close();
  }
}

function reportTimes(name, times) {
  console.log(
    `${name.padEnd(36)} ${median(times).toFixed(0)} ms  (${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)})`,
  );
}
