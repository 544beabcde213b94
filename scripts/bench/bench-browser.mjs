// Latency that the browser path adds to each chunk: when the sandbox wrote a piece against when a caller of the gateway
// has it, beside the same for a client that reads the sandbox's stream directly. Runs on the built gateway.
// Usage: npm run bench:browser, or node scripts/bench/bench-browser.mjs [streams] for this part alone
import { readArrivals } from './kit/arrivals.mjs';
import { postJson, startSandboxGateway } from './kit/sandbox-gateway.mjs';
import { quantile } from './kit/statistics.mjs';

const ROUNDS = 10;
const CHUNKS = 100;
const PROMPT = `[[chunks:${CHUNKS}x20ms]]`;
const streams = Number(process.argv[2] ?? 1);

const { site, origin, complete, close } = await startSandboxGateway();
try {
  const direct = await directReader();
  const through = () => complete(PROMPT);
  await through().then(readArrivals);
  const added = { direct: [], gateway: [] };
  for (let round = 0; round < ROUNDS; round++) {
    added.direct.push(...(await measure(direct)));
    added.gateway.push(...(await measure(through)));
  }
  const row = (name) =>
    `${name.padEnd(8)} p50 ${quantile(added[name], 0.5).toFixed(2)} ms  p99 ${quantile(added[name], 0.99).toFixed(2)} ms`;
  console.log(`${ROUNDS} rounds of ${streams} x ${CHUNKS} chunks at 20 ms`);
  console.log(row('direct'));
  console.log(row('gateway'));
  const difference = (share) => (quantile(added.gateway, share) - quantile(added.direct, share)).toFixed(2);
  console.log(`added    p50 ${difference(0.5)} ms  p99 ${difference(0.99)} ms`);
} finally {
  await close();
}

/** Logs in as the pages do, and returns a function that asks the site itself. */
async function directReader() {
  const { name, password } = site.accounts[0];
  const login = await fetch(`${origin}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ user: name, password }),
  });
  const cookie = login.headers.getSetCookie()[0].split(';')[0];
  const page = await (await fetch(origin, { headers: { cookie } })).text();
  const csrf = /name="csrf-token" content="([^"]+)"/.exec(page)[1];
  return () => {
    const ids = { conversation_id: crypto.randomUUID(), message_id: crypto.randomUUID() };
    const body = { ...ids, model: 'svc-max', thinking: false, prompt: PROMPT };
    return postJson(`${origin}/api/chat`, body, { cookie, origin, 'x-csrf-token': csrf });
  };
}

/** Milliseconds from writing to arrival, of every chunk of `streams` answers at once. */
async function measure(ask) {
  const before = site.records.length;
  const answers = await Promise.all(Array.from({ length: streams }, () => ask().then(readArrivals)));
  const inOrder = (lists) => lists.sort((a, b) => a[0] - b[0]);
  const sent = inOrder(site.records.slice(before).map(({ pieceTimes }) => pieceTimes));
  const received = inOrder(answers.map(({ times }) => times));
  return received.flatMap((times, i) => times.map((time, n) => time - sent[i][n]));
}
