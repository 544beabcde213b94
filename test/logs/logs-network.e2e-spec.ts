import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NetworkRecord } from '../../src/logs/records/network-record.js';
import { LogClient } from '../support/gateway/log-client.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, hangs, withBytes } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const API_KEY = 'caller-key-77d0';
const UPSTREAM_KEY = 'sk-upstream-c4c4';
const COOKIE = 'planted-cookie-31f';
const TOKEN = 'planted-token-8812ab';

describe('network records of an OpenAI-format upstream', () => {
  let gateway: StubGateway;
  let log: LogClient;

  beforeAll(async () => {
    gateway = await StubGateway.start({
      API_KEY,
      LOG_CONTENT: 'full',
      UPSTREAM_API_KEYS: UPSTREAM_KEY,
    });
    log = new LogClient(gateway.origin, API_KEY);
  });
  afterAll(() => gateway.close());

  const ask = async (body: object = ASK): Promise<string> => {
    const response = await gateway.post(body, { headers: log.headers });
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  };
  const exchangesOf = async (id: string): Promise<readonly NetworkRecord[]> =>
    (await gateway.logs.find(id))?.network ?? [];

  it('carry the id of their request and both sides of the exchange, the key redacted', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['well'] }));
    const id = await ask();
    const { account } = (await gateway.logs.find(id))!.entry;
    const [record, ...more] = await exchangesOf(id);
    expect(more).toEqual([]);
    expect(record).toEqual({
      kind: 'network',
      id: expect.stringMatching(/^net_[0-9a-f]{32}$/),
      requestId: id,
      account,
      startedAt: expect.any(Number),
      method: 'POST',
      url: `${gateway.stub.baseUrl}/chat/completions`,
      status: 200,
      firstByteMs: expect.any(Number),
      totalMs: expect.any(Number),
      requestBytes: record?.requestBody?.length,
      responseBytes: record?.responseBody?.length,
      requestHeaders: expect.objectContaining({
        authorization: '[redacted]',
        'content-type': 'application/json',
      }),
      responseHeaders: expect.objectContaining({ 'content-type': 'text/event-stream' }),
      requestBody: expect.stringContaining('"Hi"'),
      responseBody: expect.stringMatching(/^data: .*"well".*\n\ndata: \[DONE\]\n\n$/s),
    });
    expect((await log.page('?kind=network&limit=1')).entries).toEqual([record]);
    const [brief] = (await log.page('?kind=network&limit=1&content=0')).entries;
    expect(brief).toEqual({ ...record, requestBody: undefined, responseBody: undefined });
  });

  it('are found with and without those that served no request', async () => {
    const [answered] = await exchangesOf(await ask());
    gateway.networkLog.begin({ method: 'GET', url: 'http://upstream.test/login' }).end();
    const { entries } = await log.page('?kind=network&limit=2');
    expect(entries.map(({ id }) => id)).toEqual([expect.any(String), answered?.id]);
    const { entries: served } = await log.page('?kind=network&served=1&limit=1');
    expect(served.map(({ id }) => id)).toEqual([answered?.id]);
  });

  it('show each attempt and its failure', async () => {
    gateway.stub.answerNextWith(failed(500));
    gateway.stub.answerNextWith((reply) => reply.reset());
    gateway.stub.answerNextWith(answer());
    const records = await exchangesOf(await ask());
    expect(records.map(({ status, error }) => [status, error?.split(':', 1)[0]])).toEqual([
      [500, 'upstream_status_500'],
      [undefined, 'connection_lost'],
      [200, undefined],
    ]);
    const { entries } = await log.page('?kind=network&level=error&limit=2');
    expect(entries.map(({ id }) => id)).toEqual([records[1]?.id, records[0]?.id]);
    expect((await log.page('?kind=network&status=500&limit=1')).entries).toEqual([records[0]]);
  });

  it('show running and cancelled exchanges', async () => {
    gateway.stub.answerNextWith(hangs(1));
    const leaving = new AbortController();
    const running = await gateway.post(ASK, { headers: log.headers, signal: leaving.signal });
    const id = running.headers.get('x-request-id') ?? '';
    const [begun] = await exchangesOf(id);
    expect(begun).toMatchObject({ requestId: id, status: 200 });
    expect(begun).not.toHaveProperty('totalMs');
    leaving.abort();
    await expect(running.text()).rejects.toThrow();
    await eventually(PATIENCE_MS, async () => {
      expect(await exchangesOf(id)).toEqual([
        expect.objectContaining({ error: 'cancelled', totalMs: expect.any(Number) }),
      ]);
    });
  });

  it('keep bodies by the present value of LOG_CONTENT', async () => {
    const long = { ...ASK, messages: [{ role: 'user', content: 'x'.repeat(200_000) }] };
    const lengths = async (): Promise<(number | undefined)[]> => {
      gateway.stub.answerNextWith(answer({ pieces: ['y'.repeat(100_000)] }));
      const [record, ...more] = await exchangesOf(await ask(long));
      expect(more).toEqual([]);
      expect(record?.requestBytes).toBeGreaterThan(200_000);
      return [record?.requestBody?.length, record?.responseBody?.length];
    };
    try {
      expect(await lengths()).toEqual([65_536, 65_536]);
      gateway.settings.LOG_CONTENT = 'preview';
      expect(await lengths()).toEqual([500, 500]);
      gateway.settings.LOG_CONTENT = 'none';
      expect(await lengths()).toEqual([undefined, undefined]);
    } finally {
      gateway.settings.LOG_CONTENT = 'full';
    }
  });

  it('contain no secret, wherever the upstream repeats one', async () => {
    const body = JSON.stringify({
      error: { message: `Bad key ${UPSTREAM_KEY}`, session: { access_token: TOKEN, password: TOKEN } },
    });
    const headers = {
      'content-type': 'application/json',
      'set-cookie': `sid=${COOKIE}`,
      'x-auth-token': TOKEN,
      'x-echo': UPSTREAM_KEY,
    };
    gateway.stub.answerNextWith((reply) => reply.body(400, headers, body));
    gateway.stub.answerNextWith(withBytes(headers, body));
    const first = await ask();
    const second = await ask();
    const everything = JSON.stringify([
      await log.page('?limit=500'),
      await log.page('?limit=500&kind=network'),
      await gateway.logs.find(first),
      await gateway.logs.find(second),
    ]);
    expect(everything.includes('Bad key [redacted]')).toBe(true);
    expect([API_KEY, UPSTREAM_KEY, COOKIE, TOKEN].filter((secret) => everything.includes(secret))).toEqual(
      [],
    );
  });
});
