/**
 * Measures what a shared database costs, on a real PostgreSQL that is started for it (or on `TEST_DATABASE_URL`): the
 * processor time of a small JSON request as a ratio to a gateway without `DATABASE_URL` (= 1), that of the event loop, for
 * which callers wait, apart from that of the threads beside it, which store and ship the log; that of a gateway at rest; the
 * statements of a busy gateway beside those of one at rest; and how soon the log of one gateway is read at another.
 * Linux only.
 *
 * A busy machine doubles a figure for seconds, and PostgreSQL, which has a machine of its own elsewhere, shares caches and
 * cores here. So both gateways of a pair are under the same load at the same time: whatever slows one down does so to the
 * other, too. Two gateways of one kind still differ by a few hundredths, by chance; so each pair is started anew, and of all
 * pairs the mean is given with its standard error.
 *
 *     npm run bench:cluster [-- --pairs N, of gateways, 8 by default] [--seconds N, of each other part, 60 by default]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/postgres/postgres-server.ts';
import { cpuTime, loopTime } from './kit/cpu-time.mjs';
import { BenchProcesses, ready, runLoad } from './kit/processes.mjs';
import { median, quantile } from './kit/statistics.mjs';

const KEY = 'bench-key';
/** Of which the log at another gateway is timed. */
const REQUESTS = 4000;
/** Of a pair, each of so many requests to either gateway. */
const ROUNDS = 10;
const ROUND_REQUESTS = 2000;
/** As many as the compiler is at work for; it has more to compile with a shared database, but only once. */
const WARM_UP_REQUESTS = 30_000;
/** Until the last records of a round are in the file. What is shipped later counts in the next round, as does the rest of each. */
const WRITTEN_WITHIN_MS = 400;
/** PostgreSQL tells of a backend's transactions up to a second late. */
const STATISTICS_DELAY_MS = 2500;

const { values: options } = parseArgs({
  options: { pairs: { type: 'string', default: '8' }, seconds: { type: 'string', default: '60' } },
});
const seconds = Number(options.seconds);
const processes = new BenchProcesses();

try {
  const { url: upstreamUrl } = await processes.startPart('upstream', '0');
  const load = processes.fork('load');
  const pairs = [];
  while (pairs.length < Number(options.pairs)) {
    const isNodeFirst = pairs.length % 2 === 1;
    pairs.push(await onDatabase((database) => comparePair(upstreamUrl, database.url, load, isNodeFirst)));
  }
  console.log('a small JSON request with DATABASE_URL, in µs of processor time:');
  printPart('all threads', pairs, ({ all }) => all);
  printPart('event loop', pairs, ({ loop }) => loop);
  printPart('threads beside it', pairs, ({ all, loop }) => all - loop);
  await onDatabase((database) => measureOthers(upstreamUrl, database.url, load));
} finally {
  await processes.end();
}

async function onDatabase(work) {
  const database = await createTestDatabase();
  try {
    return await work(database);
  } finally {
    await database.drop();
  }
}

/** @returns rounds of `{ within, without }` a database, each in microseconds of processor time: see `used` */
async function comparePair(upstreamUrl, databaseUrl, load, isNodeFirst) {
  const env = { within: { DATABASE_URL: databaseUrl, SECRET_KEY: 'bench-secret' }, without: {} };
  const sides = isNodeFirst ? ['within', 'without'] : ['without', 'within'];
  const gateways = [];
  for (const side of sides) {
    const gateway = await processes.startGateway({ upstreamUrl, key: KEY, env: env[side] });
    await ready(gateway);
    gateways.push(gateway);
  }
  const url = gateways.map((gateway) => gateway.url);
  await runLoad(load, { url, key: KEY, scenario: 'json', requests: WARM_UP_REQUESTS });
  const rounds = [];
  while (rounds.length < ROUNDS) {
    const before = gateways.map(used);
    await runLoad(load, { url, key: KEY, scenario: 'json', requests: ROUND_REQUESTS });
    await wait(WRITTEN_WITHIN_MS);
    const costs = gateways.map(used).map(({ all, loop }, at) => ({
      all: (all - before[at].all) / ROUND_REQUESTS,
      loop: (loop - before[at].loop) / ROUND_REQUESTS,
    }));
    rounds.push(Object.fromEntries(sides.map((side, at) => [side, costs[at]])));
  }
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  return rounds;
}

async function measureOthers(upstreamUrl, databaseUrl, load) {
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: 'bench-secret' };
  const alone = await processes.startGateway({ upstreamUrl, key: KEY });
  const node = await processes.startGateway({ upstreamUrl, key: KEY, env });
  await ready(node);
  await compareRest(alone, node);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await countStatements(client, load, node);
  await client.end();
  const reader = await processes.startGateway({ upstreamUrl, key: KEY, env });
  await ready(reader);
  await timeLog(load, node, reader);
  await Promise.all([alone, node, reader].map((gateway) => gateway.stop()));
}

function printPart(name, pairs, part) {
  const ratios = pairs.map((rounds) =>
    median(rounds.map(({ within, without }) => part(within) / part(without))),
  );
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const error = Math.exp(mean) * Math.sqrt(variance / logs.length);
  const [within, without] = ['within', 'without'].map((side) =>
    median(pairs.flat().map((round) => part(round[side]))).toFixed(0),
  );
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  console.log(
    `  ${name}: ${Math.exp(mean).toFixed(3)} ± ${error.toFixed(3)} (pairs: ${spread}), ${within} to ${without} without`,
  );
}

/** @returns microseconds of processor time so far: of all threads, and of the event loop */
function used({ pid }) {
  return { all: cpuTime(pid) / 1000, loop: loopTime(pid) / 1000 };
}

async function compareRest(...gateways) {
  const before = gateways.map(({ pid }) => cpuTime(pid));
  await wait(seconds * 1000);
  const [alone, node] = gateways.map(({ pid }, index) => (cpuTime(pid) - before[index]) / 1e6 / seconds);
  console.log(`at rest: ${node.toFixed(2)} ms a second with DATABASE_URL, ${alone.toFixed(2)} without`);
}

async function countStatements(client, load, { url }) {
  const atRest = await transactionsWhile(client, () => wait(seconds * 1000));
  let requests = 0;
  const busy = await transactionsWhile(client, async () => {
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      requests += (await runLoad(load, { url, key: KEY, scenario: 'json', requests: 1000 })).requests;
    }
  });
  const each = (busy * seconds - atRest * seconds) / requests;
  console.log(
    `transactions a second: ${atRest.toFixed(1)} at rest, ${busy.toFixed(1)} with ${(requests / seconds).toFixed(0)} requests a second` +
      ` (${each.toFixed(4)} more per request: batches of the log and of usage)`,
  );
}

/** @returns transactions of the database per second, by its own statistics */
async function transactionsWhile(client, work) {
  const began = performance.now();
  const before = await transactions(client);
  await work();
  return ((await transactions(client)) - before) / ((performance.now() - began) / 1000);
}

async function transactions(client) {
  await wait(STATISTICS_DELAY_MS);
  const { rows } = await client.query(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0].count);
}

/** From the end of a request at one gateway until its record is sent to a reader at another. */
async function timeLog(load, node, reader) {
  const controller = new AbortController();
  const lags = [];
  const response = await fetch(new URL('/log/stream?content=0', reader.url), {
    headers: { authorization: `Bearer ${KEY}` },
    signal: controller.signal,
  });
  const reading = readEvents(response.body, ({ startedAt, totalMs }) => {
    if (totalMs !== undefined) {
      lags.push(Date.now() - startedAt - totalMs);
    }
  }).catch(() => undefined);
  await runLoad(load, { url: node.url, key: KEY, scenario: 'json', requests: REQUESTS, concurrency: 2 });
  await wait(STATISTICS_DELAY_MS);
  controller.abort();
  await reading;
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(lags, share));
  console.log(
    `the log at another gateway: ${lags.length} of ${REQUESTS} records, p50 ${p50} ms, p99 ${p99} ms`,
  );
}

async function readEvents(body, take) {
  let text = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (text + piece).split('\n\n');
    text = events.pop();
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) {
        take(JSON.parse(data.slice('data: '.length)));
      }
    }
  }
}
