/**
 * Measures small JSON requests of one gateway, of two, and so on up to the number of cores, all on one database: requests a
 * second, and the processor time of the gateways for each. Their callers, the upstream and the database (a real PostgreSQL
 * that is started for it, or `TEST_DATABASE_URL`) take their part of the same cores, so that the second figure says more: as
 * long as it stays, a gateway on a core of its own adds as many requests as the first. Linux only.
 *
 *     npm run bench:nodes [-- --nodes N] [--rounds N]
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createTestDatabase } from '../../test/support/postgres/postgres-server.ts';
import { cpuTime } from './kit/cpu-time.mjs';
import { BenchProcesses, ready, runLoad } from './kit/processes.mjs';
import { median } from './kit/statistics.mjs';

const KEY = 'bench-key';
/** Of each gateway and round. */
const REQUESTS = 4000;

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: String(availableParallelism()) },
    rounds: { type: 'string', default: '5' },
  },
});
const processes = new BenchProcesses();
const database = await createTestDatabase();

try {
  const { url: upstreamUrl } = await processes.startPart('upstream', '0');
  const env = { DATABASE_URL: database.url, SECRET_KEY: 'bench-secret' };
  const parts = [];
  console.log(
    'gateways | requests a second | of one | µs of processor time a request | cores of the gateways',
  );
  let first;
  for (let count = 1; count <= Number(options.nodes); count++) {
    const gateway = await processes.startGateway({ upstreamUrl, key: KEY, env });
    parts.push({ gateway, load: processes.fork('load') });
    await Promise.all(parts.map((part) => ready(part.gateway)));
    const { rate, cpu } = await measure(parts);
    first ??= rate;
    const figures = [
      rate.toFixed(0),
      (rate / first).toFixed(2),
      cpu.toFixed(0),
      ((rate * cpu) / 1e6).toFixed(2),
    ];
    console.log([count, ...figures].join(' | '));
  }
} finally {
  await processes.end();
  await database.drop();
}

/** @returns medians: requests a second of all gateways together, and microseconds of their processor time for each */
async function measure(parts) {
  const rounds = [];
  // The first rounds warm the compiler up and do not count.
  for (let round = -2; round < Number(options.rounds); round++) {
    const before = cpuOf(parts);
    const began = performance.now();
    await Promise.all(
      parts.map(({ gateway, load }) =>
        runLoad(load, { url: gateway.url, key: KEY, scenario: 'json', requests: REQUESTS }),
      ),
    );
    const seconds = (performance.now() - began) / 1000;
    const requests = parts.length * REQUESTS;
    if (round >= 0) {
      rounds.push({ rate: requests / seconds, cpu: (cpuOf(parts) - before) / requests / 1000 });
    }
  }
  return { rate: median(rounds.map(({ rate }) => rate)), cpu: median(rounds.map(({ cpu }) => cpu)) };
}

function cpuOf(parts) {
  return parts.reduce((sum, { gateway }) => sum + cpuTime(gateway.pid), 0);
}
