// Latency that observing adds to each chunk of an answer over socket.io: when the site wrote it against when a caller of
// the gateway has it, beside the same for a client that reads the socket directly; and the processor time of browser and
// gateway for 1,000 chunks. Runs on the built gateway, in a process of its own; Linux only.
// Usage: npm run bench:socket [-- streams [rounds]]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readArrivals } from '../kit/arrivals.mjs';
import { cpuTime } from '../kit/cpu-time.mjs';
import { postJson } from '../kit/sandbox-gateway.mjs';
import { quantile } from '../kit/statistics.mjs';
import { SOCKET_RECIPE, startSocketSite } from './socket-site.mjs';

const CHUNKS = 100;
const PACE_MS = 20;
const [streams = 1, rounds = 5] = process.argv.slice(2).map(Number);

const site = await startSocketSite(CHUNKS, PACE_MS);
const { origin, pid, close } = await forkGateway(
  JSON.stringify(SOCKET_RECIPE),
  site.origin,
  [{ name: 'bench', password: 'none' }],
  {
    POOL_MIN_SESSIONS: streams,
    POOL_MAX_SESSIONS: streams,
    POOL_MAX_SESSIONS_PER_ACCOUNT: streams,
    POOL_ACQUIRE_TIMEOUT_MS: 600_000,
  },
);
try {
  await Promise.all(prompts('warm').map(ask));
  const added = { direct: [], gateway: [] };
  const used = { browser: 0, gateway: 0 };
  for (let round = 0; round < rounds; round++) {
    added.direct.push(...(await directTimes(`direct ${round}`)));
    const before = cpuTimes();
    added.gateway.push(...(await Promise.all(prompts(`round ${round}`).map(ask))).flat());
    const after = cpuTimes();
    used.browser += after.browser - before.browser;
    used.gateway += after.gateway - before.gateway;
  }
  const at = (name, share) => quantile(added[name], share).toFixed(2);
  console.log(`${rounds} rounds of ${streams} x ${CHUNKS} chunks at ${PACE_MS} ms`);
  for (const name of ['direct', 'gateway']) {
    console.log(`${name.padEnd(8)} p50 ${at(name, 0.5)} ms  p99 ${at(name, 0.99)} ms`);
  }
  console.log(`added    p50 ${(at('gateway', 0.5) - at('direct', 0.5)).toFixed(2)} ms`);
  const perThousand = (ns) => `${(ns / 1e6 / ((rounds * streams * CHUNKS) / 1000)).toFixed(0)} ms`;
  console.log(
    `processor time for 1,000 chunks: browser ${perThousand(used.browser)}, gateway ${perThousand(used.gateway)}`,
  );
} finally {
  await close();
  await site.close();
}

/** `startWebGateway` in a process of its own. */
async function forkGateway(...options) {
  const child = fork(new URL('gateway-process.mjs', import.meta.url));
  const ended = once(child, 'exit');
  child.send(options);
  const [told] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The gateway did not start.'))),
  ]);
  const close = async () => {
    child.disconnect();
    await ended;
  };
  return { origin: told.origin, pid: String(child.pid), close };
}

function prompts(label) {
  return Array.from({ length: streams }, (_, index) => `${label}, stream ${index}`);
}

/** Milliseconds from writing to arrival of every chunk of one answer. */
async function ask(prompt) {
  const response = await postJson(`${origin}/v1/chat/completions`, {
    model: 'svc-max-no-thinking',
    stream: true,
    messages: [{ role: 'user', content: prompt }],
  });
  const { text, times } = await readArrivals(response);
  const sent = site.sentAt.get(prompt) ?? [];
  // Chunks that came together are one event of the gateway's stream.
  if (times.length === 0 || !text.includes(`word${CHUNKS} `)) {
    throw new Error(`The answer to “${prompt}” is not whole: ${text.slice(-300)}`);
  }
  return [...text.matchAll(/"content":"([^"]+)"/g)].flatMap(([, content], event) =>
    [...content.matchAll(/word(\d+) /g)].map(([, number]) => times[event] - sent[number - 1]),
  );
}

/** The same for a client of the site itself. */
async function directTimes(prompt) {
  const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const times = [];
  await new Promise((done, reject) => {
    socket.onerror = reject;
    socket.onmessage = ({ data }) => {
      if (data.startsWith('0')) {
        socket.send('40');
      } else if (data.startsWith('40')) {
        socket.send(`42${JSON.stringify(['say', { text: prompt }])}`);
      } else if (data === '2') {
        socket.send('3');
      } else if (data.startsWith('42["token"')) {
        times.push(performance.now());
      } else if (data.startsWith('42["end"')) {
        done();
      }
    };
  });
  socket.close();
  return times.map((time, index) => time - site.sentAt.get(prompt)[index]);
}

/** Nanoseconds of processor time so far (Linux only). */
function cpuTimes() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isOfGateway = (one) => {
    for (let at = parents.get(one); at !== undefined; at = parents.get(at)) {
      if (at === pid) {
        return true;
      }
    }
    return false;
  };
  const sum = (list) => list.reduce((total, pid) => total + timeOf(pid), 0);
  return { browser: sum(pids.filter(isOfGateway)), gateway: timeOf(pid) };
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
  }
}

function timeOf(pid) {
  try {
    return cpuTime(pid);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
