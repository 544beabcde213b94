import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { shortLeaseMs } from '../support/gateway/cluster-rig.js';
import { DatabaseProxy } from '../support/postgres/database-proxy.js';
import { OwnPostgres } from '../support/postgres/own-postgres.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { jsonAnswer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

const PROJECT = join(import.meta.dirname, '..', '..');
const HELLO = JSON.stringify({
  model: 'svc-max',
  stream: false,
  messages: [{ role: 'user', content: 'hi' }],
});

let folder: string;
let output: string;
let stub: OpenAiStub;
let proxy: DatabaseProxy;
let postgres: OwnPostgres | undefined;
let nodeLeaseMs: number;

beforeEach(async () => {
  nodeLeaseMs = await shortLeaseMs();
  folder = mkdtempSync(join(tmpdir(), 'gateway-waiting-'));
  output = join(folder, 'output');
  stub = await OpenAiStub.start();
  stub.answerWith(jsonAnswer({ role: 'assistant', content: 'hello' }));
  // There is no server yet.
  proxy = await DatabaseProxy.start('postgres://gateway@127.0.0.1:1/postgres');
  proxy.cut();
});
afterEach(async () => {
  await proxy.close();
  await postgres?.kill();
  postgres = undefined;
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (url: string) => ({
  DATA_DIR: folder,
  DATABASE_URL: url,
  SECRET_KEY: 'one secret for all',
  NODE_LEASE_MS: String(nodeLeaseMs),
  PROVIDER: 'openai',
  UPSTREAM_BASE_URL: stub.baseUrl,
  UPSTREAM_API_KEYS: 'k1',
  LOG_LEVEL: 'info',
  LOG_FORMAT: 'json',
});

/** Lines of the process log so far that tell of the database. */
function told(): { readonly event: string; readonly port?: number; readonly msg: string }[] {
  return readFileSync(output, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"event":"database_'))
    .map((line) => JSON.parse(line) as ReturnType<typeof told>[number]);
}

describe('a gateway whose database is away when it starts', () => {
  it('F17: says so, refuses at once, and comes up by itself', async () => {
    const starting = ChildGateway.start(environment(proxy.url), output);
    starting.catch(() => undefined);
    const port = await eventually(PATIENCE_MS, () => {
      const [line] = told();
      expect(line).toMatchObject({ event: 'database_away', port: expect.any(Number) });
      return line!.port!;
    });
    const origin = `http://127.0.0.1:${port}`;
    const ask = async (path: string, options: RequestInit = {}): Promise<[number, string, string | null]> => {
      const response = await fetch(`${origin}${path}`, options);
      return [response.status, await response.text(), response.headers.get('x-gateway-reason')];
    };
    expect(await ask('/health/live')).toEqual([200, '{"status":"ok"}', null]);
    expect(await ask('/health')).toEqual([200, '{"status":"ok"}', null]);
    expect(await ask('/health/ready')).toEqual([503, '{"status":"database_away"}', null]);
    const message = 'Internal server error: the gateway is starting, and waits for its database.';
    const refusal = { error: { message, type: 'server_error', param: null, code: 'internal_error' } };
    await processPace.expectOnceWithin(async () => {
      const askedAt = performance.now();
      const refused = await ask('/v1/chat/completions', { method: 'POST', body: HELLO });
      expect(refused).toEqual([500, JSON.stringify(refusal), 'database_away']);
      return performance.now() - askedAt;
    }, 50);
    const page = await ask('/dashboard', { headers: { accept: 'text/html' } });
    expect(page).toEqual([500, expect.stringContaining('waiting for the database'), 'database_away']);

    postgres = await OwnPostgres.start();
    proxy.pointTo(postgres.url);
    const thereAt = performance.now();
    proxy.restore();
    const node = await starting;
    try {
      const listensMs = performance.now() - thereAt;
      await eventually(PATIENCE_MS, async () => {
        const headers = { 'content-type': 'application/json' };
        const served = await fetch(`${node.baseUrl}/chat/completions`, {
          method: 'POST',
          headers,
          body: HELLO,
        });
        expect([served.status, await served.text()]).toEqual([200, expect.stringContaining('hello')]);
      });
      process.stdout.write(`F17: listens ${Math.round(listensMs)} ms after the database is there\n`);
      expect(told().map(({ event }) => event)).toEqual(['database_away', 'database_back']);
    } finally {
      await node.kill();
    }
  });

  it('says that a start with a slow database goes on, and lives meanwhile', async () => {
    postgres = await OwnPostgres.start();
    proxy.pointTo(postgres.url);
    proxy.restore();
    // Each of the statements of a start takes a quarter of a second.
    proxy.delayMs = 125;
    const starting = ChildGateway.start(environment(proxy.url), output);
    starting.catch(() => undefined);
    const port = await eventually(PATIENCE_MS, () => {
      const [line] = told();
      expect(line).toMatchObject({ event: 'database_slow', port: expect.any(Number) });
      return line!.port!;
    });
    const statuses = await Promise.all(
      ['live', 'ready'].map(async (path) => (await fetch(`http://127.0.0.1:${port}/health/${path}`)).status),
    );
    expect(statuses).toEqual([200, 503]);
    proxy.delayMs = 0;
    const node = await starting;
    try {
      await eventually(PATIENCE_MS, () => node.ask());
      expect(told()).toHaveLength(1);
    } finally {
      await node.kill();
    }
  });

  it('ends in good order when it is told to while it waits', async () => {
    const starting = start(proxy.url);
    await eventually(PATIENCE_MS, () => expect(starting.text()).toContain('database_away'));
    starting.child.kill('SIGTERM');
    await expect(starting.ended).resolves.toMatchObject({ code: 0 });
  });

  it('ends with code 2 and one line if the database refuses it', async () => {
    postgres = await OwnPostgres.start();
    const none = new URL(postgres.url);
    none.pathname = '/none';
    const { ended } = start(none.href);
    const at = `${none.host} (DATABASE_URL)`;
    expect(await ended).toEqual({
      code: 2,
      errors: `The database at ${at} cannot be used: database "none" does not exist\n`,
    });
    await postgres.query('CREATE TABLE schema_version AS SELECT 1000 AS version');
    expect(await start(postgres.url).ended).toEqual({
      code: 2,
      errors: expect.stringMatching(/^The database \(DATABASE_URL\) was changed by a newer release .*\.\n$/),
    });
  });
});

/** Starts a gateway that is to end before it serves. */
function start(url: string) {
  const runner = join(PROJECT, 'test', 'support', 'gateway', 'run-typescript.mjs');
  let text = '';
  const running = promisify(execFile)(
    process.execPath,
    ['--import', runner, join(PROJECT, 'src', 'main.ts')],
    { cwd: folder, env: { ...process.env, PORT: '0', ...environment(url) } },
  );
  running.child.stdout?.on('data', (piece: string) => (text += piece));
  const ended = running.then(
    ({ stderr }) => ({ code: 0, errors: stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, errors: stderr }),
  );
  return { child: running.child, ended, text: () => text };
}
