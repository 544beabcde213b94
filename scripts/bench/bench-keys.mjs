/**
 * Measures what many keys cost: the processor time of a small JSON request whose key is one of 10,000 with all limits
 * on, as a ratio to one with the key of the settings in a gateway without others (= 1). Linux only.
 *
 *     npm run bench:keys [-- --keys N] [--rounds N]
 */
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { cpuTime } from './kit/cpu-time.mjs';
import { BenchProcesses, runLoad } from './kit/processes.mjs';
import { median } from './kit/statistics.mjs';

const OPERATOR = 'bench-operator-key';
const LIMITS = { requestsPerMinute: 10_000, concurrentRequests: 100_000, tokensPerDay: 1_000_000_000_000 };
/**
 * Requests of one turn: many short pairs, since what the host of a virtual machine takes away changes from second to
 * second. A round stays below what one key may send in a minute; each has a key of its own.
 */
const REQUESTS = 1000;
const SCENARIO = 'json';

const { values: options } = parseArgs({
  options: { keys: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '200' } },
});
const processes = new BenchProcesses();

try {
  const upstream = await processes.startPart('upstream', '0');
  const load = processes.fork('load');
  const plain = await processes.startGateway({ upstreamUrl: upstream.url, key: OPERATOR });
  const keyed = await processes.startGateway({ upstreamUrl: upstream.url, key: OPERATOR });
  const secrets = await makeKeys(keyed.url, Number(options.keys));
  // Both have then served, logged and compiled as much.
  await askForKeys(plain.url, secrets.length);
  console.log(`${secrets.length} keys made`);
  const ratios = [];
  for (let round = -1; round < Number(options.rounds); round++) {
    const secret = secrets.at(-2 - round);
    // In turns, so that neither is always the second.
    const isPlainFirst = round % 2 === 0;
    const first = await (isPlainFirst ? costOf(plain, load, OPERATOR) : costOf(keyed, load, secret));
    const second = await (isPlainFirst ? costOf(keyed, load, secret) : costOf(plain, load, OPERATOR));
    const [without, within] = isPlainFirst ? [first, second] : [second, first];
    // The first turn of each warms the compiler up and does not count.
    if (round >= 0) {
      ratios.push(within / without);
      console.log(`${without.toFixed(1)} µs without, ${within.toFixed(1)} µs with ${options.keys} keys`);
    }
  }
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  console.log(`a small JSON request with ${options.keys} keys: ${median(ratios).toFixed(2)} (${spread})`);
} finally {
  await processes.end();
}

async function askForKeys(url, times) {
  const agent = new Agent({ keepAlive: true });
  for (let asked = 0; asked < times; asked++) {
    await send(new URL('/dashboard/api/keys', url), agent, 'GET');
  }
  agent.destroy();
}

/** @returns their secrets */
async function makeKeys(url, count) {
  const secrets = [];
  const agent = new Agent({ keepAlive: true });
  for (let made = 0; made < count; made++) {
    const body = { name: `caller-${made}`, models: ['svc-max'], ...LIMITS };
    secrets.push((await send(new URL('/dashboard/api/keys', url), agent, 'POST', body)).secret);
  }
  agent.destroy();
  return secrets;
}

function send(url, agent, method, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR}` };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (incoming) => {
      incoming.on('error', reject);
      resolve(json(incoming));
    });
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

/** @returns microseconds of processor time per request */
async function costOf({ url, pid }, load, key) {
  const before = cpuTime(pid);
  const { requests } = await runLoad(load, { url, key, scenario: SCENARIO, requests: REQUESTS });
  return (cpuTime(pid) - before) / 1000 / requests;
}
