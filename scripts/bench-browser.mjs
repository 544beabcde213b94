// Latency that the browser path adds to each chunk: when the sandbox wrote a piece against when a caller of the gateway
// has it, beside the same for a client that reads the sandbox's stream directly. Runs on the built gateway.
// Usage: npm run bench:browser [-- streams]
import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountsService } from '../dist/accounts/accounts.service.js';
import { Settings } from '../dist/common/config/settings.js';
import { createGateway } from '../dist/gateway.js';
import { SandboxSite } from '../dist/upstream/sandbox/sandbox-site.js';
import { findBrowser } from './lib/browser.mjs';

const ROUNDS = 10;
const CHUNKS = 100;
const PROMPT = `[[chunks:${CHUNKS}x20ms]]`;
const streams = Number(process.argv[2] ?? 1);

const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
const site = new SandboxSite({ keepPieceTimes: true });
const origin = await site.start();
const gateway = await startGateway();
try {
  const direct = await directReader();
  const { port } = gateway.getHttpServer().address();
  const through = () => post(`http://127.0.0.1:${port}/v1/chat/completions`, {}, completionBody());
  await through().then(arrivals);
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
  await gateway.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
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
    BROWSER_EXECUTABLE_PATH: await findBrowser({ executablePath: process.env.BROWSER_EXECUTABLE_PATH }),
  });
  const app = await createGateway(settings);
  await app.listen(0, '127.0.0.1');
  for (const { name, password } of site.accounts) {
    app.get(AccountsService).add(name, { user: name, password });
  }
  return app;
}

function completionBody() {
  return { model: 'svc-max-no-thinking', messages: [{ role: 'user', content: PROMPT }] };
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
  return () =>
    post(
      `${origin}/api/chat`,
      { cookie, origin, 'x-csrf-token': csrf },
      {
        conversation_id: crypto.randomUUID(),
        message_id: crypto.randomUUID(),
        model: 'svc-max',
        thinking: false,
        prompt: PROMPT,
      },
    );
}

function post(url, headers, body) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Times at which each numbered chunk was there. */
async function arrivals(response) {
  const times = [];
  let text = '';
  for await (const bytes of response.body) {
    const now = performance.now();
    text += new TextDecoder().decode(bytes);
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) {
      if (/"content":"[^"]|"type":"text"/.test(frame)) {
        times.push(now);
      }
    }
  }
  return times;
}

/** Milliseconds from writing to arrival, of every chunk of `streams` answers at once. */
async function measure(ask) {
  const before = site.records.length;
  const received = await Promise.all(Array.from({ length: streams }, () => ask().then(arrivals)));
  const sent = site.records.slice(before).map((record) => record.pieceTimes);
  const inOrder = (lists) => lists.sort((a, b) => a[0] - b[0]);
  inOrder(sent);
  return inOrder(received).flatMap((times, i) => times.map((time, n) => time - sent[i][n]));
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)];
}
