import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type OverviewSeries } from '../../src/dashboard/overview.js';
import { type NetworkRecord } from '../../src/logs/records/network-record.js';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, hangs, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const KEY = 'key-of-the-gateway';
const WITH_KEY = { headers: { authorization: `Bearer ${KEY}` } };
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const HELLO = answer({ pieces: ['Hello'], usage: USAGE });

interface Overview {
  readonly now: number;
  readonly totals: Record<string, number | null>;
  readonly series: OverviewSeries;
  readonly [part: string]: unknown;
}

let gateway: StubGateway;

async function start(): Promise<void> {
  gateway = await StubGateway.start({ API_KEY: KEY, UPSTREAM_API_KEYS: 'upstream-key-1,upstream-key-2' });
  gateway.stub.answerWith(HELLO);
}

const get = (path: string, init: RequestInit = WITH_KEY) => fetch(gateway.origin + path, init);
const read = async <Body>(path: string) => (await (await get(path)).json()) as Body;
const overview = (query = '') => read<Overview>(`/dashboard/api/overview${query}`);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('the dashboard API', () => {
  beforeAll(async () => {
    await start();
  });

  afterAll(async () => {
    await gateway.close();
  });

  it.each([
    '/dashboard/api/overview',
    '/dashboard/api/requests/x',
    '/dashboard/api/models',
    '/dashboard/api/settings',
    '/dashboard/api/accounts',
    '/metrics',
  ])('%s needs the key', async (path) => {
    for (const init of [{}, { headers: { authorization: 'Bearer wrong' } }]) {
      const response = await get(path, init);
      expect([response.status, await response.json()]).toMatchObject([
        401,
        { error: { code: 'invalid_api_key' } },
      ]);
    }
    expect((await get(`${path}?token=${KEY}`, {})).status).toBe(401);
  });

  it('shows totals and time series of requests', async () => {
    const before = await overview();
    await gateway.complete(ASK, WITH_KEY);
    await gateway.complete({ ...ASK, stream: false }, WITH_KEY);
    await gateway.complete({ model: 'svc-max' }, WITH_KEY);
    await gateway.complete({ ...ASK, model: 'nothing' }, WITH_KEY);
    await gateway.complete(ASK);
    const { now, totals, series, ...rest } = await eventually(PATIENCE_MS, async () => {
      const shown = await overview();
      expect(shown.totals).toMatchObject({ running: 0, requests: 4 });
      return shown;
    });
    expect(before.totals).toMatchObject({ requests: 0, p50Ms: null, p95Ms: null, firstTokenP50Ms: null });
    expect(totals).toEqual({
      running: 0,
      requests: 4,
      ok: 2,
      errors: 2,
      clientErrors: 2,
      rateLimited: 0,
      keyLimited: 0,
      cancelled: 0,
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
      firstTokenP50Ms: expect.any(Number),
      queuedP95Ms: expect.any(Number),
      promptTokens: 22,
      cachedTokens: 0,
      completionTokens: 14,
    });
    expect(rest).toEqual({
      pool: {
        sessions: expect.any(Number),
        idle: expect.any(Number),
        leases: 0,
        opening: 0,
        waiting: 0,
        capacity: 8,
      },
      accounts: { ready: 2, cooldown: 0, login_required: 0, disabled: 0 },
      glance: {
        accounts: [expect.objectContaining({ state: 'ready' }), expect.objectContaining({ state: 'ready' })],
        others: 0,
      },
      nodes: [],
      log: { dropped: 0, entries: expect.any(Number), bytes: expect.any(Number), isHealthy: true },
      provider: 'openai',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      uptimeMs: expect.any(Number),
    });

    const { bucketMs, t, ...columns } = series;
    expect([bucketMs, t.length]).toEqual([30_000, 120]);
    expect(t.every((start, at) => at === 0 || start - (t[at - 1] ?? 0) === bucketMs)).toBe(true);
    expect(t.at(-1)).toBeLessThanOrEqual(now);
    for (const column of Object.values(columns)) {
      expect(column.length).toBe(t.length);
    }
    expect([sum(columns.requests), sum(columns.errors), sum(columns.completionTokens)]).toEqual([4, 2, 14]);
    const quiet = columns.requests.findIndex((count) => count === 0);
    expect([columns.p50Ms[quiet], columns.firstTokenP50Ms[quiet]]).toEqual([null, null]);
    expect((await overview('?minutes=10080')).totals).toMatchObject({ requests: 4 });
  });

  it('counts running requests', async () => {
    gateway.stub.answerNextWith(hangs(1));
    const controller = new AbortController();
    const response = await gateway.post(ASK, { ...WITH_KEY, signal: controller.signal });
    expect((await overview('?minutes=1')).totals.running).toBe(1);
    expect(await (await get('/metrics')).text()).toContain('\ngateway_requests_running 1\n');
    const ended = response.text().catch(() => undefined);
    controller.abort();
    await ended;
    await gateway.stub.waitFor(({ abortedAt }) => abortedAt !== undefined);
    await eventually(PATIENCE_MS, async () =>
      expect((await overview('?minutes=1')).totals).toMatchObject({ running: 0, cancelled: 1 }),
    );
  });

  it.each(['0', '-1', '10081', '1.5', 'x', '', '60&minutes=61'])(
    'refuses a window of %j minutes',
    async (minutes) => {
      const response = await get(`/dashboard/api/overview?minutes=${minutes}`);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: 'invalid_request', param: 'minutes' } },
      ]);
    },
  );

  it('shows a request with its exchanges', async () => {
    gateway.stub.answerNextWith(failed(500));
    const response = await gateway.post(ASK, WITH_KEY);
    await response.text();
    const id = response.headers.get('x-request-id') ?? '';
    const exchange = gateway.networkLog.begin({
      requestId: id,
      method: 'POST',
      url: 'http://upstream.test/chat',
    });
    exchange.head(200, {});
    exchange.end();
    gateway.networkLog
      .begin({ requestId: 'another', method: 'POST', url: 'http://upstream.test/other' })
      .end();
    const { entry, network } = await read<{ entry: RequestLogEntry; network: NetworkRecord[] }>(
      `/dashboard/api/requests/${id}`,
    );
    expect(entry).toMatchObject({ id, outcome: 'ok', status: 200, model: 'svc-max' });
    expect(entry.attempts?.map(({ outcome }) => outcome)).toEqual(['upstream_status_500', 'ok']);
    expect(network).toContainEqual(
      expect.objectContaining({
        requestId: id,
        method: 'POST',
        url: 'http://upstream.test/chat',
        status: 200,
      }),
    );
    expect(network.every(({ requestId }) => requestId === id)).toBe(true);
    expect(JSON.stringify([entry, network])).not.toMatch(/upstream-key-/);
  });

  it.each(['unknown', '%2e%2e%2fsettings', "'%20OR%201=1"])(
    'answers the unknown request %s with 404',
    async (id) => {
      const response = await get(`/dashboard/api/requests/${id}`);
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    },
  );

  it('lists the models', async () => {
    expect(await read('/dashboard/api/models')).toEqual({
      models: ['svc-max', 'svc-plus', 'svc-max-no-thinking', 'svc-plus-no-thinking'],
      // Nobody has said any.
      contextWindows: {},
      provider: 'openai',
    });
  });

  it('is not logged itself, nor are metrics and health', async () => {
    const before = gateway.lastEntry?.id;
    for (const path of [
      '/dashboard/api/overview',
      '/dashboard/api/x',
      '/metrics',
      '/health/live',
      '/health/ready',
    ]) {
      await (await get(path)).text();
    }
    expect(gateway.lastEntry?.id).toBe(before);
  });
});

describe('the metrics', () => {
  afterEach(async () => {
    await gateway.close();
  });

  it('count every request with its attempts, tokens and outcome', async () => {
    await start();
    gateway.stub.answerNextWith(rateLimited({ retryAfter: '60' }));
    await gateway.complete(ASK, WITH_KEY);
    await gateway.complete({ ...ASK, model: 'made-up' }, WITH_KEY);
    await gateway.complete(ASK);
    await (await get('/v1/models')).text();
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'gateway_requests_total{outcome="ok",status="200",model="svc-max"} 1',
        'gateway_requests_total{outcome="client_error",status="404",model="other"} 1',
        'gateway_refused_strangers_total 1',
        'gateway_request_duration_seconds_count{outcome="ok",model="svc-max"} 1',
        'gateway_request_duration_seconds_bucket{le="+Inf",outcome="ok",model="svc-max"} 1',
        'gateway_first_token_seconds_count{model="svc-max"} 1',
        'gateway_upstream_attempts_total{outcome="rate_limited"} 1',
        'gateway_upstream_attempts_total{outcome="ok"} 1',
        'gateway_prompt_tokens_total 11',
        'gateway_completion_tokens_total 7',
        'gateway_accounts{state="ready"} 1',
        'gateway_accounts{state="cooldown"} 1',
        'gateway_pool_leases 0',
        'gateway_pool_waiting_requests 0',
        'gateway_requests_running 0',
        'gateway_log_records_dropped_total 0',
        expect.stringMatching(/^gateway_info\{version="\d[^"]*",provider="openai"\} 1$/),
        expect.stringMatching(/^nodejs_eventloop_lag_p99_seconds \d/),
        expect.stringMatching(/^process_resident_memory_bytes \d/),
      ]),
    );
    expect(lines.filter((line) => line.startsWith('gateway_requests_total')).length).toBe(2);
    expect(text).not.toMatch(/made-up|upstream-key|key-of-the-gateway/);
  });

  it('have unique names with units, and a help text', async () => {
    await start();
    const lines = (await (await get('/metrics')).text()).split('\n');
    const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ').slice(2));
    const names = types.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [name = '', type] of types) {
      expect(lines.some((line) => line.startsWith(`# HELP ${name} `) && line.endsWith('.'))).toBe(true);
      if (name.startsWith('gateway_') && type === 'counter') {
        expect(name).toMatch(/_total$/);
      }
      if (type === 'histogram') {
        expect(name).toMatch(/_seconds$/);
      }
    }
  });
});

it('readiness is lost before the listener closes, while running answers end', async () => {
  await start();
  expect((await get('/health/ready', {})).status).toBe(200);
  const socket = connect({ port: gateway.port, host: '127.0.0.1' }).setEncoding('utf8');
  await once(socket, 'connect');
  gateway.stub.answerNextWith(answer({ pieces: 20, intervalMs: 10 }));
  const running = await gateway.post(ASK, WITH_KEY);
  // A probe in flight at the moment of the signal.
  socket.write('GET /health/ready HTTP/1.1\r\nHost: localhost\r\n');
  expect((await get('/health/live', {})).status).toBe(200);
  const stopped = gateway.stop();
  socket.write('\r\n');
  const [received] = (await once(socket, 'data')) as [string];
  expect(received).toMatch(/^HTTP\/1\.1 503 /);
  expect(received).toMatch(/\r\n\r\n\{"status":"shutting_down"\}$/);
  expect((await running.text()).endsWith('data: [DONE]\n\n')).toBe(true);
  await expect(get('/health/live', {})).rejects.toThrow();
  socket.destroy();
  await stopped;
  await gateway.close();
});
