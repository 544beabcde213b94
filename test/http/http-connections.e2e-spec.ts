import { once } from 'node:events';
import { type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMITTED_AT_ONCE_BYTES, BodyAdmission } from '../../src/common/http/body/body-admission.js';
import { BodyBudget } from '../../src/common/http/body/body-budget.js';
import { type EdgeApp, startEdgeApp } from '../support/gateway/edge-app.js';
import { internalError } from '../support/gateway/error-texts.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { VALID_BODY } from '../support/hostile/hostile-case.js';
import { exchange } from '../support/hostile/raw-http.js';
import { OpenAiStub, type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';
import { TestsAtOnce } from '../support/watch/tests-at-once.js';

/** Callers that do all in time take longer on a slow machine, too. */
const PACE = Math.ceil(await processPace.factor());
const LIMITS = {
  headersTimeoutMs: 300 * PACE,
  requestTimeoutMs: 600 * PACE,
  keepAliveTimeoutMs: 200 * PACE,
  unreadTimeoutMs: 600 * PACE,
  checkIntervalMs: 50,
  closeGraceMs: 100 * PACE,
};
const KEY = 'k';
const HEAD = `Host: localhost\r\nAuthorization: Bearer ${KEY}\r\n`;
const POST = `POST /v1/chat/completions HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;
const LENGTH = `Content-Length: ${VALID_BODY.length}\r\n`;

const envelope = (code: string, type = 'invalid_request_error'): object => ({
  error: { message: expect.any(String), type, param: null, code },
});

/** Everything that arrives until the other side closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const piece of socket) {
    text += (piece as Buffer).toString('latin1');
  }
  return text;
}

/** Resolves once a server has accepted that many more connections. */
function acceptedBy(server: Server, count: number): Promise<void> {
  return new Promise((resolve) => {
    let accepted = 0;
    const listener = (): void => {
      accepted++;
      if (accepted === count) {
        server.off('connection', listener);
        resolve();
      }
    };
    server.on('connection', listener);
  });
}

describe('the edge', () => {
  let edge: EdgeApp;

  beforeAll(async () => {
    edge = await startEdgeApp({ API_KEY: KEY, BODY_LIMIT: 2 ** 20 }, LIMITS);
  });
  afterAll(async () => {
    await edge?.app.close();
  });

  const open = (): Socket => connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true });

  const waiting = new TestsAtOnce();
  waiting.each([
    ['nothing', ''],
    ['half a request line', 'GET /v1/mo'],
    ['half of the headers', `GET /v1/models HTTP/1.1\r\n${HEAD}`],
    ['no body', `${POST}${LENGTH}\r\n`],
    ['half a body', `${POST}${LENGTH}\r\n{"model":`],
    ['half a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`],
  ])('answers a caller that sends %s and waits with 408', async (_name, text) => {
    const response = await exchange(edge.port, text);
    expect({ status: response.status, body: JSON.parse(response.body) as unknown }).toEqual({
      status: 408,
      body: envelope('request_timeout'),
    });
    expect(response.headers.get('connection')).toEqual(['close']);
  });

  test('F33: answers 500 slow callers with 408, and others meanwhile', async () => {
    const accepted = acceptedBy(edge.app.getHttpServer(), 500);
    const slow = Array.from({ length: 500 }, (_, i) =>
      exchange(edge.port, i % 2 ? `GET /v1/models HTTP/1.1\r\n${HEAD}` : `${POST}${LENGTH}\r\n{`),
    );
    await accepted;
    const quick = Array.from({ length: 20 }, () =>
      exchange(edge.port, `GET /v1/models HTTP/1.1\r\n${HEAD}\r\n`),
    );
    expect((await Promise.all(quick)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([408]));
  });

  test('takes a request that came in time, though the process stood still until it was late', async () => {
    const server = edge.app.getHttpServer();
    const standStill = (ms: number): unknown =>
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    const [whole, parted] = [open(), open()];
    await Promise.all([acceptedBy(server, 2), once(whole, 'connect'), once(parted, 'connect')]);
    parted.write(`${POST}Connection: close\r\n${LENGTH}\r\n`);
    await once(server, 'request');
    // What it has of a caller then lies in the kernel.
    whole.write(`GET /v1/models HTTP/1.1\r\nConnection: close\r\n${HEAD}\r\n`);
    parted.write(VALID_BODY);
    standStill(LIMITS.requestTimeoutMs + LIMITS.checkIntervalMs);
    for (const text of await Promise.all([whole, parted].map(readAll))) {
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test('keeps a connection over errors, and closes it when it is idle', async () => {
    const socket = open();
    const reading = readAll(socket);
    socket.write(`GET /nothing HTTP/1.1\r\n${HEAD}\r\nPOST /v1/models HTTP/1.1\r\n${HEAD}\r\n`);
    socket.write(`${POST}Content-Length: 2\r\n\r\n[]GET /v1/models HTTP/1.1\r\n${HEAD}\r\n`);
    const text = await reading;
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 404',
      'HTTP/1.1 405',
      'HTTP/1.1 400',
      'HTTP/1.1 200',
    ]);
    socket.destroy();
  });

  test('asks for the body of an expecting caller only once it wants it', async () => {
    const refused = open();
    refused.write(`${POST.replace(KEY, 'wrong')}${LENGTH}Expect: 100-continue\r\n\r\n`);
    const text = await readAll(refused);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toMatch(/^Connection: close\r$/m);
    refused.destroy();

    const accepted = open();
    accepted.write(`${POST}${LENGTH}Expect: 100-continue\r\n\r\n`);
    const [first] = (await once(accepted, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    accepted.write(VALID_BODY);
    expect(await readAll(accepted)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    accepted.destroy();
  });

  test('ignores the expectation of HTTP/1.0, which knows no interim answers', async () => {
    const socket = open();
    socket.write(`${POST.replace('HTTP/1.1', 'HTTP/1.0')}${LENGTH}Expect: 100-continue\r\n\r\n${VALID_BODY}`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    socket.destroy();
  });

  test('lets a caller finish sending a refused body, then closes', async () => {
    const socket = open();
    const reading = readAll(socket);
    socket.write(`${POST}Content-Length: ${4 * 2 ** 20}\r\n\r\n`);
    for (let i = 0; i < 64; i++) {
      await new Promise((resolve) => socket.write(Buffer.alloc(2 ** 16, 0x20), resolve));
    }
    const text = await reading;
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    socket.destroy();
  });

  test.each([
    ['within the headers', `GET /v1/models HTTP/1.1\r\n${HEAD}`],
    ['within the body', `${POST}${LENGTH}\r\n{"model":`],
    ['within a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`],
  ])('answers a caller that stops sending %s with 400', async (_name, text) => {
    const response = await exchange(edge.port, text, { halfClose: true });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toEqual(envelope('invalid_request'));
  });

  test('survives callers that vanish at every point of a request', async () => {
    const whole = `${POST}${LENGTH}\r\n${VALID_BODY}`;
    for (let length = 0; length <= whole.length; length += 7) {
      const socket = open();
      await once(socket, 'connect');
      socket.write(whole.slice(0, length));
      socket.resetAndDestroy();
    }
    const response = await exchange(edge.port, whole);
    expect(response.status).toBe(200);
  });

  test('refuses large bodies beyond the memory for all of them with 429', async () => {
    const budget = edge.app.get(BodyBudget);
    budget.take(128 * 2 ** 20);
    const body = VALID_BODY.replace('{', `{${' '.repeat(ADMITTED_AT_ONCE_BYTES)}`);
    const response = await exchange(edge.port, `${POST}Content-Length: ${body.length}\r\n\r\n${body}`);
    const small = await exchange(edge.port, `${POST}${LENGTH}\r\n${VALID_BODY}`);
    budget.giveBack(128 * 2 ** 20);
    expect(small.status).toBe(200);
    expect({ status: response.status, body: JSON.parse(response.body) as unknown }).toEqual({
      status: 429,
      body: envelope('rate_limit', 'rate_limit_error'),
    });
    expect(response.headers.get('retry-after')).toEqual(['1']);
  });

  test.each(['declared', 'chunked'])('answers a large %s body once there is memory for it', async (kind) => {
    const others = new PassThrough();
    await edge.app
      .get(BodyAdmission)
      .waitForRoom(Number.MAX_SAFE_INTEGER, others as unknown as ServerResponse);
    const body = VALID_BODY.replace('{', `{${' '.repeat(ADMITTED_AT_ONCE_BYTES)}`);
    const sent =
      kind === 'declared'
        ? `Content-Length: ${body.length}\r\n\r\n${body}`
        : `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    let isAnswered = false;
    const answered = exchange(edge.port, `${POST}${sent}`).finally(() => (isAnswered = true));
    const small = await exchange(edge.port, `${POST}${LENGTH}\r\n${VALID_BODY}`);
    expect([small.status, isAnswered]).toEqual([200, false]);
    others.destroy();
    expect((await answered).status).toBe(200);
  });

  test('tells nothing of an unexpected error', async () => {
    const response = await exchange(edge.port, `GET /broken HTTP/1.1\r\n${HEAD}\r\n`);
    expect(response.status).toBe(500);
    expect(JSON.parse(response.body)).toEqual({
      error: internalError('the gateway failed to process the request.'),
    });
  });

  test('cuts an answer that fails after it began', async () => {
    const socket = open();
    socket.write(`GET /half HTTP/1.1\r\n${HEAD}\r\n`);
    const text = await readAll(socket).catch((error: Error) => error.message);
    expect(text).not.toMatch(/0\r\n\r\n$/);
    expect(text).not.toContain('secret');
    socket.destroy();
  });

  test('cuts a caller off that reads nothing of a whole answer', async () => {
    const accepted = once(edge.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = open().pause();
    socket.write(`GET /large HTTP/1.1\r\n${HEAD}\r\n`);
    const [connection] = await accepted;
    await once(connection, 'close');
    socket.destroy();
  });

  test.each([
    ['/dashboard', '', 200],
    ['/log/stream?token=k', '', 200],
    ['/log/stream?a=b&token=k', '', 200],
    ['/log/stream?token=x', '', 401],
    ['/log/stream?token=', '', 401],
    ['/log/stream?token=k&token=k', '', 401],
    ['/log/stream?token[]=k', '', 401],
    ['/log/stream?Token=k', '', 401],
    ['/log/stream#token=k', '', 401],
    ['/log/stream', '', 401],
    ['/log/stream?token=k', 'Authorization: Bearer x\r\n', 401],
    ['/log/stream?token=x', 'Authorization: Bearer k\r\n', 200],
    ['/LOG/stream/?token=k', '', 200],
    ['/v1/models?token=k', '', 401],
    ['/dashboard/api/act?token=k', '', 401],
  ])('%s with %j is %i', async (path, header, status) => {
    const response = await exchange(edge.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    expect(response.status).toBe(status);
  });

  test('an action without a body needs none, and takes no other than JSON', async () => {
    const act = `POST /dashboard/api/act HTTP/1.1\r\n${HEAD}`;
    expect((await exchange(edge.port, `${act}\r\n`)).status).toBe(201);
    expect((await exchange(edge.port, `${act}Content-Length: 3\r\n\r\na=b`)).status).toBe(415);
  });

  test('closing the application cuts requests that do not end', async () => {
    const other = await startEdgeApp({}, { ...LIMITS, requestTimeoutMs: 60_000, headersTimeoutMs: 60_000 });
    const socket = connect({ port: other.port, host: '127.0.0.1' });
    const reading = readAll(socket).catch((error: NodeJS.ErrnoException) => error.code);
    socket.write(`${POST}${LENGTH}\r\n{"model"`);
    await once(other.app.getHttpServer(), 'request');
    await other.app.close();
    expect(['', 'ECONNRESET']).toContain(await reading);
  });
});

describe('a caller', () => {
  const streamed = VALID_BODY.replace('"stream":false', '"stream":true');
  let stub: OpenAiStub;
  let gateway: TestGateway;
  let port: number;

  beforeAll(async () => {
    stub = await OpenAiStub.start();
    gateway = await startGateway({ PROVIDER: 'openai', UPSTREAM_BASE_URL: stub.baseUrl });
    port = Number(new URL(gateway.origin).port);
  });
  afterAll(async () => {
    await gateway?.close();
    await stub?.close();
  });

  const completion = (body: string, version = '1.1'): string =>
    `POST /v1/chat/completions HTTP/${version}\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;

  test.each([
    ['at once', {}],
    ['after half a second', { delayMs: 500 }],
    ['over half a second', { intervalMs: 250 }],
  ])('that only finished sending is answered in full %s', async (_name, timing) => {
    stub.answerWith(answer({ pieces: ['Hello', ' world'], ...timing }));
    const whole = await exchange(port, completion(VALID_BODY), { halfClose: true });
    expect(whole.status).toBe(200);
    expect(whole.body).toContain('"content":"Hello world"');
    const stream = await exchange(port, completion(streamed), { halfClose: true });
    expect(stream.status).toBe(200);
    expect(stream.body).toMatch(/"content":"Hello"[^]*"content":" world"[^]*data: \[DONE\]\n\n$/);
  });

  test('of HTTP/1.0 that only finished sending is answered if the answer is quick', async () => {
    stub.answerWith(answer({ pieces: ['Hello'] }));
    // On a busy machine an answer may be late once, which ends the connection.
    const attempts: Promise<string>[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      attempts.push(
        exchange(port, completion(VALID_BODY, '1.0'), { halfClose: true }).then(({ body }) => body),
      );
      await Promise.allSettled(attempts);
    }
    expect(await Promise.any(attempts)).toContain('"content":"Hello"');
  });

  test('of a second request behind a quick one is answered, however long it takes', async () => {
    const other = await startGateway({ PROVIDER: 'openai', UPSTREAM_BASE_URL: stub.baseUrl }, LIMITS);
    try {
      stub.answerWith(answer({ pieces: ['Hello'], delayMs: LIMITS.unreadTimeoutMs }));
      const socket = connect({ port: Number(new URL(other.origin).port), host: '127.0.0.1' });
      socket.write(`GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n${completion(VALID_BODY)}`);
      // An idle connection is closed all the same.
      const text = await readAll(socket);
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
      expect(text).toContain('"content":"Hello"');
    } finally {
      await other.close();
    }
  });

  test('that does not send its body is answered, and logged, as its endpoint does it', async () => {
    const other = await startGateway({ PROVIDER: 'openai', UPSTREAM_BASE_URL: stub.baseUrl }, LIMITS);
    try {
      const head = 'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
      const response = await exchange(
        Number(new URL(other.origin).port),
        `${head}Content-Length: 9\r\n\r\n{`,
      );
      const [id] = response.headers.get('x-request-id') ?? [];
      const message = 'The request did not arrive in time.';
      expect([response.status, JSON.parse(response.body), response.headers.get('request-id')]).toEqual([
        408,
        { type: 'error', error: { type: 'invalid_request_error', message }, request_id: id },
        [id],
      ]);
      await eventually(PATIENCE_MS, () =>
        expect(other.entries.all).toMatchObject([
          {
            id,
            outcome: 'client_error',
            status: 408,
            error: { code: 'request_timeout', reason: 'request_timeout', message },
          },
        ]),
      );
    } finally {
      await other.close();
    }
  });

  const never: StubPlan = (reply) => reply.hang();
  const stalled: StubPlan = async (reply) => {
    await reply.event(chunk({ content: 'a' }));
    await reply.hang();
  };

  test.each([
    ['waits for an answer', completion(VALID_BODY), never],
    ['waits for an answer over HTTP/1.0', completion(VALID_BODY, '1.0'), never],
    ['waits for a stream', completion(streamed), never],
    ['waits within a stream', completion(streamed), stalled],
  ])('that leaves while it %s is noticed within 500 ms', async (_name, request, plan) => {
    stub.answerWith(plan);
    const before = stub.requests.length;
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(request);
    const seen = await stub.waitFor((candidate) => stub.requests.indexOf(candidate) >= before);
    if (plan === stalled) {
      await once(socket, 'data');
    }
    const leftAt = performance.now();
    socket.destroy();
    await stub.waitFor((candidate) => candidate === seen && candidate.abortedAt !== undefined);
    await processPace.expectWithin((seen.abortedAt ?? Infinity) - leftAt, 500);
  });
});
