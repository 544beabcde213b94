import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { shortLeaseMs } from '../support/gateway/cluster-rig.js';
import { createUsedDatabase, type TestDatabase } from '../support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

interface Shown {
  readonly id: string;
  readonly node: string;
  readonly outcome: string;
}

let database: TestDatabase;
let upstream: Server;
let folders: string[];
let gateways: ChildGateway[];

beforeEach(async () => {
  database = await createUsedDatabase();
  // Takes every request, and answers none.
  upstream = createServer().listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  folders = [];
  gateways = [];
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  upstream.closeAllConnections();
  upstream.close();
  await database.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

async function start(): Promise<ChildGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'shared-log-'));
  folders.push(folder);
  const gateway = await ChildGateway.start({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    SECRET_KEY: 'one for all',
    PROVIDER: 'openai',
    UPSTREAM_BASE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
    UPSTREAM_API_KEYS: 'key-one,key-two',
    NODE_LEASE_MS: String(await shortLeaseMs()),
  });
  gateways.push(gateway);
  return gateway;
}

async function shown({ baseUrl }: ChildGateway, query = ''): Promise<Shown[]> {
  const response = await fetch(new URL(`/log/json?limit=100&${query}`, baseUrl));
  expect(response.status).toBe(200);
  return ((await response.json()) as { entries: Shown[] }).entries;
}

/** A request that is refused, and logged. @returns its id */
async function refused({ baseUrl }: ChildGateway): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: '{}' });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

/** Reads a stream of the log until it holds a text. */
async function seeInStream({ baseUrl }: ChildGateway, text: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(new URL('/log/stream', baseUrl), { signal });
  let seen = '';
  for await (const bytes of response.body ?? []) {
    seen += Buffer.from(bytes as Uint8Array).toString('utf8');
    if (seen.includes(text)) {
      return;
    }
  }
  throw new Error(`The stream ended: ${seen}`);
}

it('two gateways have one log, and close what a killed one has left', async () => {
  const [one, other] = [await start(), await start()];
  const first = await refused(one);
  await eventually(PATIENCE_MS, async () => {
    expect((await shown(other)).map(({ id }) => id)).toContain(first);
  });
  const entry = (await shown(other)).find(({ id }) => id === first);
  expect((await shown(other, `node=${entry?.node}`)).map(({ id }) => id)).toEqual([first]);

  // A request in the middle of its answer, when its gateway is killed.
  const control = new AbortController();
  const streamed = seeInStream(other, '"outcome":"crashed"', control.signal);
  const ask = (): void => {
    const body = JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: 'hi' }] });
    const headers = { 'content-type': 'application/json' };
    fetch(`${one.baseUrl}/chat/completions`, { method: 'POST', headers, body })
      .then((response) => response.text())
      .catch(() => undefined);
  };
  const pending = (): Promise<Shown[]> => shown(other, `node=${entry?.node}&status=pending`);
  const running = await eventually(PATIENCE_MS, async () => {
    // Refused until the gateway has a right to an account.
    ask();
    const found = await pending();
    expect(found).not.toEqual([]);
    return found;
  });
  await one.kill();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  // Spares the test the half minute after which a node is taken for dead.
  await admin.query(
    `UPDATE log_nodes SET seen_at = seen_at - interval '1 minute' WHERE node = '${entry?.node}'`,
  );
  await admin.end();
  await eventually(PATIENCE_MS, async () => {
    expect(await pending()).toEqual([]);
    const crashed = await shown(other, `node=${entry?.node}&status=crashed`);
    expect(crashed.map(({ id }) => id)).toEqual(expect.arrayContaining(running.map(({ id }) => id)));
  });
  await streamed;
  control.abort();
});
