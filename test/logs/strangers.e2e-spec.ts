import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';

const API_KEY = 'key-of-the-gateway-5b1c';
const LIMIT = 20;
const STRANGERS = 1500;
const AT_ONCE = 50;

describe('callers without a valid key', () => {
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await startGateway({
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1',
      API_KEY,
      WRONG_KEYS_PER_MINUTE: LIMIT,
      LOG_MAX_BYTES: 2 ** 20,
    });
  });
  afterEach(() => gateway.close());

  const get = (path: string, key: string): Promise<Response> =>
    fetch(gateway.origin + path, { headers: { authorization: `Bearer ${key}` } });

  async function logged(): Promise<readonly RequestLogEntry[]> {
    const response = await get('/log/json?limit=500', API_KEY);
    return ((await response.json()) as { entries: RequestLogEntry[] }).entries;
  }

  /** Sends many requests with wrong keys and long paths. */
  async function storm(): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let sent = 0; sent < STRANGERS; sent += AT_ONCE) {
      const answers = Array.from({ length: AT_ONCE }, async (_, index) => {
        const response = await get(`/v1/${'x'.repeat(12_000)}`, `wrong-${sent + index}`);
        await response.text();
        return response.status;
      });
      statuses.push(...(await Promise.all(answers)));
    }
    return statuses;
  }

  it('are told to wait, and leave everybody else’s records in the log', async () => {
    const ids: (string | null)[] = [];
    for (let count = 0; count < 20; count++) {
      const response = await get('/v1/models', API_KEY);
      await response.text();
      ids.push(response.headers.get('x-request-id'));
    }
    const statuses = await storm();
    expect(statuses.slice().sort()).toEqual([
      ...Array.from({ length: LIMIT }, () => 401),
      ...Array.from({ length: STRANGERS - LIMIT }, () => 429),
    ]);
    const entries = await logged();
    const known = new Set(entries.map(({ id }) => id));
    expect(ids.filter((id) => !known.has(id ?? ''))).toEqual([]);
    const strangers = entries.filter(({ isStranger }) => isStranger);
    expect(strangers.length).toBeGreaterThan(0);
    expect(strangers.length).toBeLessThan(STRANGERS / 4);
    expect(new Set(strangers.map(({ path }) => path))).toEqual(new Set([`/v1/${'x'.repeat(196)}`]));
    const metrics = await (await get('/metrics', API_KEY)).text();
    expect(metrics).toContain(`gateway_refused_strangers_total ${STRANGERS}\n`);
  });

  it('are answered 429 with Retry-After, while the right key passes from the same address', async () => {
    for (let count = 0; count < LIMIT; count++) {
      expect((await get('/v1/models', 'wrong')).status).toBe(401);
    }
    for (const path of ['/v1/models', '/v1/nothing', '/log/stream', '/log/json']) {
      const refused = await get(path, 'wrong');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(refused.headers.get('x-should-retry')).toBe('false');
      expect(refused.headers.get('x-gateway-reason')).toBe('invalid_api_key');
      expect(await refused.json()).toEqual({
        error: {
          message:
            'The API key is wrong, and too many wrong keys came from this address. Please check the key before you try again.',
          type: 'rate_limit_error',
          param: null,
          code: 'rate_limit',
        },
      });
    }
    expect((await get('/log/stream?token=wrong', API_KEY)).status).toBe(200);
    expect((await get('/v1/models', API_KEY)).status).toBe(200);
    // A caller that shows no key at all guesses none.
    expect((await fetch(`${gateway.origin}/v1/models`)).status).toBe(401);
  });

  it('nobody finds the gateway’s key in log, errors and metrics, wherever a caller has typed it', async () => {
    const bodies: string[] = [];
    const see = async (response: Response): Promise<void> => void bodies.push(await response.text());
    await see(await get(`/v1/models/${API_KEY}`, API_KEY));
    await see(await get(`/v1/models/${API_KEY}`, 'wrong'));
    await see(await get(`/v1/%6b${API_KEY.slice(1)}?key=${API_KEY}`, API_KEY));
    for (const body of [
      { model: API_KEY, messages: [{ role: 'user', content: 'x' }] },
      { model: 'svc-max', messages: [{ role: API_KEY, content: 'x' }] },
      { model: 'svc-max', [API_KEY]: 1, messages: [{ role: 'user', content: 1 }] },
    ]) {
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      await see(
        await fetch(`${gateway.baseUrl}/chat/completions`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        }),
      );
    }
    await see(await get('/log/json?content=1', API_KEY));
    await see(await get('/metrics', API_KEY));
    expect(bodies.filter((body) => body.includes(API_KEY))).toEqual([]);
    expect((await logged()).map(({ path, model }) => model ?? path)).toEqual(
      expect.arrayContaining(['/v1/models/[redacted]', '/[redacted]', '[redacted]']),
    );
  });

  it('cannot fill the log from a page of another site, or under another host name', async () => {
    const open = await startGateway({ PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1' });
    try {
      const foreign = await fetch(`${open.baseUrl}/models`, {
        headers: { origin: 'https://elsewhere.example' },
      });
      const rebound = await new Promise((resolve) =>
        request(`${open.baseUrl}/models`, { headers: { host: 'rebound.example' } }, (response) =>
          response.resume().once('end', () => resolve(response.statusCode)),
        ).end(),
      );
      const plain = await fetch(`${open.baseUrl}/models`);
      expect([foreign.status, rebound, plain.status]).toEqual([403, 403, 200]);
      expect(open.entries.all.map(({ isStranger }) => isStranger)).toEqual([true, true, undefined]);
    } finally {
      await open.close();
    }
  });
});
