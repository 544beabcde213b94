/**
 * Measures how long the gateway takes for what each page and filter of the dashboard asks for, with many requests and as
 * many exchanges stored: the median and the slowest of several turns. Values are the worst for whoever looks for them: of
 * the oldest request only, or of none.
 *
 *     npm run bench:queries [-- options]
 *
 *     --entries N    requests stored, 100000 by default
 *     --repeats N    turns, 7 by default
 *     --limit MS     fails if a median is above, 300 by default
 *     --database     reads the shared log of a PostgreSQL, which is started for it (or that of TEST_DATABASE_URL)
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres/postgres-server.ts';
import { BenchProcesses } from '../kit/processes.mjs';
import { median } from '../kit/statistics.mjs';
import { logQueries } from './log-queries.mjs';
import { ROOM_BYTES, seedLog } from './seed-log.mjs';

const { values: options } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    repeats: { type: 'string', default: '7' },
    limit: { type: 'string', default: '300' },
    database: { type: 'boolean', default: false },
  },
});
const entries = Number(options.entries);
const processes = new BenchProcesses();
const database = options.database ? await createTestDatabase() : undefined;

try {
  const now = Date.now();
  const DATA_DIR = join(processes.folder, 'data');
  seedLog(DATA_DIR, entries, now);
  const upstream = await processes.startPart('upstream', '0');
  const { url } = await processes.startGateway({
    upstreamUrl: upstream.url,
    env: {
      DATA_DIR,
      LOG_MAX_BYTES: String(ROOM_BYTES),
      ...(database && { DATABASE_URL: database.url, SECRET_KEY: 'bench-secret' }),
    },
  });
  await (database && shipped(database.url));
  const { origin } = new URL(url);
  const slow = [];
  for (const [name, path] of logQueries(entries, now)) {
    const times = await timesOf(origin + path);
    const middle = median(times);
    slow.push(...(middle > Number(options.limit) ? [name] : []));
    console.log(`${middle.toFixed(0).padStart(6)} ms  (up to ${Math.max(...times).toFixed(0)})  ${name}`);
  }
  console.log(`above ${options.limit} ms: ${slow.join(', ') || 'none'}`);
  process.exitCode = slow.length === 0 ? 0 : 1;
} finally {
  await processes.end();
  await database?.drop();
}

async function timesOf(url) {
  const times = [];
  // The first turn reads the file into memory and does not count.
  for (let repeat = -1; repeat < Number(options.repeats); repeat++) {
    const began = performance.now();
    const response = await fetch(url);
    await response.arrayBuffer();
    if (repeat >= 0) {
      times.push(performance.now() - began);
    }
    if (!response.ok && response.status !== 404) {
      throw new Error(`${url}: status ${response.status}`);
    }
  }
  return times;
}

/** Waits until the shared log has all records. */
async function shipped(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  let count;
  do {
    await wait(500);
    const { rows } = await client
      .query('SELECT count(*)::integer AS count FROM log_records')
      .catch(() => ({ rows: [{ count: 0 }] }));
    [{ count }] = rows;
  } while (count < 2 * entries);
  // What the database does by itself after a while.
  await client.query('VACUUM ANALYZE');
  await client.end();
}
