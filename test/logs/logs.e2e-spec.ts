import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { LogClient } from '../support/gateway/log-client.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, hangs, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const API_KEY = 'caller-key-55ab';
const ORDERED = ['first', 'second', 'third', 'fourth'];

describe('the log', () => {
  let gateway: StubGateway;
  let log: LogClient;
  let strangers: LogClient;

  beforeAll(async () => {
    gateway = await StubGateway.start({
      API_KEY,
      UPSTREAM_API_KEYS: 'sk-one,sk-two',
      RETRY_MAX_ATTEMPTS: 1,
      RATE_LIMIT_COOLDOWN_MS: 1,
      WAIT_FOR_COOLDOWN_MS: 0,
    });
    gateway.stub.answerWith(answer({ pieces: ['well'] }));
    log = new LogClient(gateway.origin, API_KEY);
    strangers = new LogClient(gateway.origin);
  });
  afterAll(() => gateway.close());

  /** Asks and returns the id of the request. */
  const ask = async (body: object | string): Promise<string> => {
    const response = await gateway.post(body, { headers: { authorization: `Bearer ${API_KEY}` } });
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  };
  const prompt = (content: string, model = 'svc-max'): object => ({
    ...ASK,
    model,
    messages: [{ role: 'user', content }],
  });
  const entry = async (id: string): Promise<RequestLogEntry> =>
    (await log.page(`?q=${id}`)).entries[0] as RequestLogEntry;
  const stored = async (id: string): Promise<RequestLogEntry | undefined> =>
    (await gateway.logs.find(id))?.entry;

  describe('GET /log', () => {
    it('redirects to the page, with and without the key', async () => {
      for (const reader of [log, strangers]) {
        const response = await reader.get('/log');
        expect([response.status, response.headers.get('location')]).toEqual([302, '/dashboard/logs']);
      }
    });
  });

  describe.each(['/log/json', '/log/stream'])('GET %s', (path) => {
    it('needs the key', async () => {
      const response = await strangers.get(path);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    });
  });

  it('does not accept the key in the URL of /log/json', async () => {
    expect((await strangers.get(`/log/json?token=${API_KEY}`)).status).toBe(401);
  });

  describe('GET /log/json', () => {
    it('shows a request as soon as it is answered, with its texts or without them', async () => {
      gateway.stub.answerNextWith(answer({ pieces: ['the answer'] }));
      const id = await ask(prompt('the question'));
      const { entries, next } = await log.page('?limit=1');
      expect(entries).toEqual([
        expect.objectContaining({
          kind: 'request',
          id,
          outcome: 'ok',
          model: 'svc-max',
          status: 200,
          content: {
            messages: [{ role: 'user', content: 'the question' }],
            reasoning: '',
            answer: 'the answer',
          },
        }),
      ]);
      expect(next === null || /^\d+$/.test(next)).toBe(true);
      const [brief] = (await log.page('?limit=1&content=0')).entries;
      expect(brief).toMatchObject({ id, outcome: 'ok' });
      expect(brief).not.toHaveProperty('content');
    });

    it('shows a request that is under way as pending', async () => {
      gateway.stub.answerNextWith(hangs(1));
      const leaving = new AbortController();
      const { headers, body } = await gateway.post(prompt('patience'), {
        headers: log.headers,
        signal: leaving.signal,
      });
      const id = headers.get('x-request-id') ?? '';
      expect(await entry(id)).toMatchObject({ outcome: 'pending', model: 'svc-max' });
      // The pending state reaches the store as well.
      await eventually(PATIENCE_MS, async () =>
        expect(await stored(id)).toMatchObject({ outcome: 'pending' }),
      );
      leaving.abort();
      await expect(body!.getReader().closed).rejects.toThrow();
      await eventually(PATIENCE_MS, async () =>
        expect(await entry(id)).toMatchObject({ outcome: 'cancelled' }),
      );
    });

    it('pages through all entries, newest first, without duplicates', async () => {
      const ids: string[] = [];
      for (const word of ORDERED) {
        ids.unshift(await ask(prompt(word)));
      }
      const seen: string[] = [];
      let query = '?limit=3';
      for (let page = 0; page < 50; page++) {
        const { entries, next } = await log.page(query);
        expect(entries.length).toBeLessThanOrEqual(3);
        seen.push(...entries.map(({ id }) => id));
        if (next === null) {
          break;
        }
        query = `?limit=3&before=${next}`;
      }
      expect(seen.slice(0, ids.length)).toEqual(ids);
      expect(new Set(seen).size).toBe(seen.length);
      expect(await log.ids('?limit=500')).toEqual(seen);
    });

    it('has an entry with the error of every refused call to the API', async () => {
      const refused: [string, number, object, () => Promise<Response>][] = [
        [
          '/v1/chat/completions',
          401,
          { code: 'invalid_api_key' },
          () => gateway.post(ASK, { headers: { authorization: 'Bearer wrong' } }),
        ],
        [
          '/v1/chat/completions',
          400,
          { code: 'invalid_request' },
          () => gateway.post({ model: 'svc-max' }, { headers: log.headers }),
        ],
        [
          '/v1/chat/completions',
          404,
          { code: 'model_not_found' },
          () => gateway.post({ ...ASK, model: 'nope' }, { headers: log.headers }),
        ],
        [
          '/v1/chat/completions',
          415,
          { code: 'unsupported_media_type' },
          () => gateway.post('x', { headers: { ...log.headers, 'content-type': 'text/plain' } }),
        ],
        ['/v1/nothing', 404, { code: 'not_found' }, () => log.get('/v1/nothing')],
        ['/v1/models/nope', 404, { code: 'model_not_found' }, () => log.get('/v1/models/nope')],
        [
          '/v1/models',
          405,
          { code: 'method_not_allowed' },
          () => fetch(`${gateway.origin}/v1/models`, { method: 'PUT', headers: log.headers }),
        ],
        [
          '/v1/models',
          403,
          { code: 'origin_not_allowed' },
          () => log.get('/v1/models', { origin: 'https://elsewhere.example' }),
        ],
      ];
      for (const [path, status, error, send] of refused) {
        const response = await send();
        await response.text();
        expect(response.status).toBe(status);
        expect(await entry(response.headers.get('x-request-id') ?? '')).toMatchObject({
          path,
          status,
          outcome: 'client_error',
          error,
        });
      }
    });

    it('has what a refused completion brought, without keys, among its texts', async () => {
      const id = await ask({ ...prompt('find me by quartz'), temperature: 'hot', note: API_KEY });
      const { sent } = await entry(id);
      expect(sent?.bytes).toBeGreaterThan(50);
      expect(JSON.parse(sent!.text)).toEqual({
        ...prompt('find me by quartz'),
        temperature: 'hot',
        note: '[redacted]',
      });
      const broken = await ask('{"model": "quartz", nope');
      expect((await entry(broken)).sent).toEqual({ text: '{"model": "quartz", nope', bytes: 24 });
      const { entries } = await log.page('?q=quartz&content=0');
      expect(entries.map((found) => found.id)).toEqual([broken, id]);
      expect(entries.filter((found) => 'sent' in found)).toEqual([]);
      expect((await stored(id))?.sent).toEqual(sent);
    });

    it('has an entry of a call for the models, and none of its own endpoints', async () => {
      const id = (await log.get('/v1/models')).headers.get('x-request-id') ?? '';
      await log.get('/dashboard/api/accounts');
      expect((await log.page('?limit=2')).entries[0]).toMatchObject({
        id,
        method: 'GET',
        path: '/v1/models',
        status: 200,
        outcome: 'ok',
      });
    });

    it('finds entries by level, model, account, status, outcome and text', async () => {
      gateway.stub.answerNextWith(failed(500));
      const broken = await ask(prompt('breaks down'));
      const plus = await ask(prompt('in between: 100 %_"quoted"\n', 'svc-plus'));
      gateway.stub.answerNextWith(rateLimited({}));
      const limited = await ask(prompt('too often'));
      const bad = await ask({ ...prompt('no'), temperature: 9 });
      const all = [bad, limited, plus, broken];
      const among = async (query: string): Promise<readonly string[]> => {
        const ids = await log.ids(`?limit=500&${query}`);
        return all.filter((id) => ids.includes(id));
      };
      expect(await among('')).toEqual(all);
      expect(await among('level=error')).toEqual([broken]);
      expect(await among('level=warn')).toEqual([bad, limited]);
      expect(await among('level=info')).toEqual([plus]);
      expect(await among('model=svc-plus')).toEqual([plus]);
      expect(await among('status=429')).toEqual([limited]);
      expect(await among('status=4xx')).toEqual([bad, limited]);
      expect(await among('status=rate_limited')).toEqual([limited]);
      expect(await among('status=upstream_error&level=info')).toEqual([]);
      expect(await among('q=IN+BETWEEN')).toEqual([plus]);
      expect(await among(`q=${encodeURIComponent('%_"quoted"\n')}`)).toEqual([plus]);
      expect(await among('q=rate_limit')).toEqual([limited]);
      // Member names of the JSON are not searched.
      expect(await among('q=finishReason')).toEqual([]);
      const { account } = await entry(plus);
      expect(await among(`account=${account}`)).toContain(plus);
      expect(await among('account=key-none')).toEqual([]);
      expect(await among('q=&model=&level=')).toEqual(all);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['before=x', 'before'],
      ['before=-1', 'before'],
      ['kind=all', 'kind'],
      ['level=loud', 'level'],
      ['status=600', 'status'],
      ['status=5x', 'status'],
      ['status=fine', 'status'],
      ['model=a&model=b', 'model'],
      [`q=${'x'.repeat(201)}`, 'q'],
      ['content=2', 'content'],
    ])('refuses ?%s and names the parameter', async (query, param) => {
      const response = await log.get(`/log/json?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param } });
    });
  });
});
