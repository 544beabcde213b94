import { once } from 'node:events';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AuditEntry } from '../../src/common/audit/audit-log.js';
import { digestOf } from '../../src/common/http/access/bearer.js';
import { ResponseStore } from '../../src/responses/store/response-store.js';
import { KeyedGateway, OPERATOR } from '../support/gateway/keyed-gateway.js';
import { exchange } from '../support/hostile/raw-http.js';
import { answer, hangs } from '../support/upstream/openai-stub-plans.js';

const SECRET_TEXT = 'the plans of ann';

/** Secrets of the keys in these tests, by what is the matter with the key. */
interface Secrets {
  readonly ann: string;
  readonly bob: string;
  readonly narrow: string;
  readonly expired: string;
  readonly disabled: string;
  readonly revoked: string;
  readonly replaced: string;
}

/** Attempts by somebody without permission, with the keys of others, of no use, or of another role. */
describe('attacks on keys', () => {
  let keyed: KeyedGateway;
  let secrets: Secrets;
  /** A response that ann has stored. */
  let responseId: string;

  beforeAll(async () => {
    keyed = await KeyedGateway.start({ LOG_CONTENT: 'full', WRONG_KEYS_PER_MINUTE: 10_000 });
    keyed.gateway.stub.answerWith(answer({ pieces: ['Hello.'] }));
    const revoked = await keyed.make('revoked');
    await keyed.ask('POST', '/dashboard/api/keys/revoked/revoke', OPERATOR, {});
    const replaced = await keyed.make('rotated');
    await keyed.ask('POST', '/dashboard/api/keys/rotated/rotate', OPERATOR, { overlapMs: 0 });
    secrets = {
      ann: await keyed.make('ann'),
      bob: await keyed.make('bob'),
      narrow: await keyed.make('narrow', { models: ['svc-plus'] }),
      expired: await keyed.make('expired', { expiresAt: 1 }),
      disabled: await keyed.make('disabled', { isEnabled: false }),
      revoked,
      replaced,
    };
    const stored = await keyed.json<{ id: string }>('POST', '/v1/responses', secrets.ann, {
      model: 'svc-max',
      input: SECRET_TEXT,
    });
    responseId = stored.id;
  });
  afterAll(() => keyed.close());

  /** Status of a request whose header lines are written as they stand. */
  const statusOf = async (target: string, ...headers: readonly string[]): Promise<number> => {
    const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
    return (await exchange(keyed.gateway.port, `${head.join('\r\n')}\r\n\r\n`)).status;
  };
  const bearer = (secret: string): string => `Authorization: Bearer ${secret}`;
  /** Everything that the upstream has been sent. */
  const prompts = (): number => keyed.gateway.stub.requests.length;

  describe('a key that is no key', () => {
    it.each<[string, (secrets: Secrets) => readonly string[]]>([
      ['no key', () => []],
      ['an empty one', () => ['Authorization: Bearer ']],
      ['a made-up one', () => [bearer(`gwk_${'a'.repeat(40)}`)]],
      ['one in other case', ({ ann }) => [bearer(ann.toUpperCase())]],
      ['the beginning that the dashboard shows', ({ ann }) => [bearer(ann.slice(0, 12))]],
      ['one letter more', ({ ann }) => [bearer(`${ann}a`)]],
      ['one letter less', ({ ann }) => [bearer(ann.slice(0, -1))]],
      ['the digest in place of the key', ({ ann }) => [bearer(digestOf(ann))]],
      ['its name', () => [bearer('ann')]],
      ['the name of the first key', () => [bearer('API_KEY')]],
      ['SQL', () => [bearer("'OR/**/1=1--")]],
      ['a property of every object', () => [bearer('__proto__')]],
      ['an expired one', ({ expired }) => [bearer(expired)]],
      ['a disabled one', ({ disabled }) => [bearer(disabled)]],
      ['a revoked one', ({ revoked }) => [bearer(revoked)]],
      ['one that a rotation has replaced', ({ replaced }) => [bearer(replaced)]],
    ])('%s is answered 401', async (_what, headers) => {
      expect(await statusOf('/v1/models', ...headers(secrets))).toBe(401);
    });
  });

  describe('a right key in the wrong place', () => {
    it.each<[string, string, (secret: string) => readonly string[]]>([
      ['Basic', '/v1/models', (secret) => [`Authorization: Basic ${btoa(`:${secret}`)}`]],
      ['no scheme', '/v1/models', (secret) => [`Authorization: ${secret}`]],
      ['a cookie', '/v1/models', (secret) => [`Cookie: key=${secret}`]],
      ['another header', '/v1/models', (secret) => [`X-Forwarded-Authorization: Bearer ${secret}`]],
      ['two headers', '/v1/models', (secret) => [bearer(secret), bearer(secret)]],
      ['two that differ', '/v1/models', (secret) => [bearer(secret), 'x-api-key: another']],
      ['a list', '/v1/models', (secret) => [`x-api-key: another, ${secret}`]],
    ])('%s is answered 401', async (_where, target, headers) => {
      expect(await statusOf(target, ...headers(secrets.ann))).toBe(401);
    });

    it.each(['token', 'key', 'api_key', 'access_token'])('?%s= is answered 401', async (name) => {
      expect(await statusOf(`/v1/models?${name}=${secrets.ann}`)).toBe(401);
    });

    it('the body is answered 401', async () => {
      expect((await keyed.complete('', { api_key: secrets.ann })).status).toBe(401);
    });
  });

  describe('a caller that would be an operator', () => {
    it.each<[string, string, object | undefined]>([
      ['GET', '/dashboard/api/keys', undefined],
      ['GET', '/dashboard/api/audit', undefined],
      ['GET', '/dashboard/api/usage?key=ann', undefined],
      ['GET', '/metrics', undefined],
      ['POST', '/dashboard/api/keys', { name: 'mine', role: 'operator' }],
      ['PATCH', '/dashboard/api/keys/bob', { role: 'operator' }],
      ['POST', '/dashboard/api/keys/ann/rotate', {}],
      ['POST', '/dashboard/api/keys/ann/revoke', {}],
    ])('is refused %s %s', async (method, path, body) => {
      expect((await keyed.ask(method, path, secrets.bob, body)).status).toBe(403);
    });

    it.each([
      '//dashboard/api/keys',
      '/DASHBOARD/api/keys',
      '/dashboard/api/keys/',
      '/v1/../dashboard/api/keys',
      '/v1/%2e%2e/dashboard/api/keys',
      '/dashboard%2fapi%2fkeys',
      '/dashboard/api/keys;.css',
      '/dashboard/api/./keys',
      'http://localhost/dashboard/api/keys',
    ])('reads no keys by %s', async (target) => {
      expect([400, 403, 404]).toContain(await statusOf(target, bearer(secrets.bob)));
    });

    it.each(['X-HTTP-Method-Override: PATCH', 'X-Original-URL: /dashboard/api/keys', 'X-Role: operator'])(
      'gets nowhere with %s',
      async (header) => {
        expect(await statusOf('/dashboard/api/keys', bearer(secrets.bob), header)).toBe(403);
      },
    );
  });

  describe('what belongs to another', () => {
    it.each<[string, string, object | undefined]>([
      ['GET', '', undefined],
      ['GET', '?stream=true', undefined],
      ['GET', '/input_items', undefined],
      ['POST', '/cancel', {}],
      ['DELETE', '', undefined],
    ])('%s of a response%s finds nothing', async (method, rest, body) => {
      const answered = await keyed.ask(method, `/v1/responses/${responseId}${rest}`, secrets.bob, body);
      expect(answered.status).toBe(404);
      expect(answered.text).not.toContain(SECRET_TEXT);
      expect((await keyed.ask('GET', `/v1/responses/${responseId}`, secrets.ann)).status).toBe(200);
    });

    it('a response cannot be gone on from, or referred to, and says as little as one that never was', async () => {
      const before = prompts();
      const refusals = await Promise.all(
        [responseId, 'resp_00000000000000000000000000000000'].map((previous_response_id) =>
          keyed.ask('POST', '/v1/responses', secrets.bob, {
            model: 'svc-max',
            input: 'Repeat all of it.',
            previous_response_id,
          }),
        ),
      );
      const [strange, absent] = refusals.map(({ status, text }) => [status, text.replace(/resp_\w+/g, 'ID')]);
      expect(strange).toEqual(absent);
      expect(strange?.[0]).toBeGreaterThanOrEqual(400);
      expect(prompts()).toBe(before);
    });

    it('requests cannot be searched for', async () => {
      for (const query of [`q=${encodeURIComponent(SECRET_TEXT)}`, 'limit=500', 'kind=request']) {
        const { status, text } = await keyed.ask('GET', `/log/json?${query}`, secrets.bob);
        expect(status).toBe(200);
        expect(text).not.toContain(SECRET_TEXT);
        expect(text).not.toContain('"ann"');
      }
      expect((await keyed.ask('GET', '/log/json?key=ann', secrets.bob)).status).toBe(403);
    });

    it('usage is one’s own, whatever is asked for', async () => {
      const { text } = await keyed.ask('GET', '/v1/usage?key=ann', secrets.bob);
      expect(text).not.toContain('svc-max');
    });
  });

  it('models that a key is not for are refused by every endpoint and spelling', async () => {
    const before = prompts();
    const messages = [{ role: 'user', content: 'Hi' }];
    const statuses = await Promise.all(
      [
        ['/v1/chat/completions', { model: 'svc-max', messages }],
        ['/v1/responses', { model: 'svc-max', input: 'Hi' }],
        ['/v1/responses', { model: 'svc-max', input: 'Hi', background: true }],
        ['/v1/messages', { model: 'svc-max', max_tokens: 5, messages }],
        ['/v1/messages', { model: 'claude-opus-4-1', max_tokens: 5, messages }],
        ['/v1/messages/count_tokens', { model: 'svc-max', messages }],
      ].map(
        async ([path, body]) =>
          (await keyed.ask('POST', path as string, secrets.narrow, body as object)).status,
      ),
    );
    expect(statuses).toEqual(statuses.map(() => 403));
    expect((await keyed.ask('GET', '/v1/models/svc-max', secrets.narrow)).status).toBe(404);
    expect(prompts()).toBe(before);
  });

  describe('names', () => {
    it.each([
      ['a header', 'x\r\nSet-Cookie: a=b'],
      ['a line of the log', 'x\n{"level":30}'],
      ['markup', '<img src=x onerror=alert(1)>'],
      ['a label of the metrics', 'x",model="y'],
      ['a formula', '=HYPERLINK("http://evil")'],
      ['a path', '../../etc/passwd'],
      ['nothing', ''],
      ['64 letters', 'a'.repeat(64)],
      ['the name of the first key', 'API_KEY'],
      ['a name that is in use', 'ann'],
      ['a name that was revoked', 'revoked'],
    ])('with %s are refused', async (_what, name) => {
      const made = await keyed.ask('POST', '/dashboard/api/keys', OPERATOR, { name });
      expect(made.status).toBe(400);
      expect(JSON.parse(made.text)).toMatchObject({ error: { param: 'name' } });
    });
  });

  it('leave no secret in lists, audit, log or metrics', async () => {
    const paths = ['/dashboard/api/keys', '/dashboard/api/audit', '/log/json?limit=500&kind=all', '/metrics'];
    const texts = await Promise.all(paths.map(async (path) => (await keyed.ask('GET', path, OPERATOR)).text));
    for (const secret of [OPERATOR, ...Object.values<string>({ ...secrets })]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    const { actions } = JSON.parse(texts[1] ?? '') as { actions: readonly AuditEntry[] };
    expect(new Set(actions.map(({ actor }) => actor))).toEqual(new Set(['API_KEY']));
  });
});

describe('a request whose body is held back until its key is revoked', () => {
  it('is turned away, be it one for another key', async () => {
    const keyed = await KeyedGateway.start();
    try {
      const secret = await keyed.make('stolen', { role: 'operator' });
      const body = JSON.stringify({ name: 'kept', role: 'operator' });
      const socket = connect(keyed.gateway.port, '127.0.0.1');
      socket
        .setEncoding('latin1')
        .write(
          [
            'POST /dashboard/api/keys HTTP/1.1',
            ...['Host: localhost', `Authorization: Bearer ${secret}`, 'Content-Type: application/json'],
            ...[`Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close', '', ''],
          ].join('\r\n'),
        );
      // It is let in.
      expect(await once(socket, 'data')).toEqual(['HTTP/1.1 100 Continue\r\n\r\n']);
      await keyed.ask('POST', '/dashboard/api/keys/stolen/revoke', OPERATOR, {});
      socket.write(body);
      expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 401 /);
      expect((await keyed.ask('GET', '/dashboard/api/keys', OPERATOR)).text).not.toContain('kept');
    } finally {
      await keyed.close();
    }
  });
});

describe('a request that waits for the conversation it goes on with until its key is revoked', () => {
  it.each([false, true])('is turned away, in the background: %s', async (background) => {
    const keyed = await KeyedGateway.start();
    try {
      keyed.gateway.stub.answerWith(answer({ pieces: ['Hello.'] }));
      const secret = await keyed.make('stolen');
      const ask = { model: 'svc-max', input: 'Hi' };
      const { id } = await keyed.json<{ id: string }>('POST', '/v1/responses', secret, ask);
      const store = keyed.gateway.app.get(ResponseStore);
      const read = store.chain.bind(store);
      jest.spyOn(store, 'chain').mockImplementationOnce(async (key) => {
        await keyed.ask('POST', '/dashboard/api/keys/stolen/revoke', OPERATOR, {});
        return read(key);
      });
      const next = { ...ask, background, stream: background, previous_response_id: id };
      const { text } = await keyed.ask('POST', '/v1/responses', secret, next);
      expect(text).toContain('The API key has been revoked.');
      expect(text).not.toContain('Hello.');
    } finally {
      await keyed.close();
    }
  });
});

describe('guessing keys', () => {
  it('is slowed down for its address whatever it claims to be, and never for a right key', async () => {
    const keyed = await KeyedGateway.start({ WRONG_KEYS_PER_MINUTE: 20 });
    try {
      const statuses: number[] = [];
      for (let guess = 0; guess < 30; guess++) {
        const head = ['GET /v1/models HTTP/1.1', 'Host: localhost', `X-Forwarded-For: 10.0.0.${guess}`];
        const lines = [...head, `Authorization: Bearer guess-${guess}`, 'Connection: close'];
        statuses.push((await exchange(keyed.gateway.port, `${lines.join('\r\n')}\r\n\r\n`)).status);
      }
      expect(statuses).toEqual([...new Array<number>(20).fill(401), ...new Array<number>(10).fill(429)]);
      expect((await keyed.ask('GET', '/v1/models', OPERATOR)).status).toBe(200);
    } finally {
      await keyed.close();
    }
  });
});

describe('work that outlives its request', () => {
  it('counts among the concurrent requests of its key until it has ended', async () => {
    const keyed = await KeyedGateway.start();
    try {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      keyed.gateway.stub.answerWith(async (reply) => {
        await released;
        await answer({ pieces: ['Hello.'] })(reply);
      });
      const key = await keyed.make('ann', { concurrentRequests: 1 });
      const background = { model: 'svc-max', input: 'Hi', background: true };
      const { id } = await keyed.json<{ id: string }>('POST', '/v1/responses', key, background);
      expect((await keyed.ask('POST', '/v1/responses', key, background)).status).toBe(429);
      release();
      const { text } = await keyed.ask('GET', `/v1/responses/${id}?stream=true`, key);
      expect(text).toContain('response.completed');
      expect((await keyed.complete(key)).status).toBe(200);
    } finally {
      await keyed.close();
    }
  });

  it('can be cancelled with its key, whatever limit has been reached', async () => {
    const keyed = await KeyedGateway.start();
    try {
      keyed.gateway.stub.answerWith(hangs());
      const key = await keyed.make('ann', { concurrentRequests: 1, requestsPerMinute: 1 });
      const background = { model: 'svc-max', input: 'Hi', background: true };
      const { id } = await keyed.json<{ id: string }>('POST', '/v1/responses', key, background);
      const cancelled = await keyed.ask('POST', `/v1/responses/${id}/cancel`, key);
      expect([cancelled.status, JSON.parse(cancelled.text)]).toMatchObject([
        200,
        { id, status: 'cancelled' },
      ]);
    } finally {
      await keyed.close();
    }
  });
});
