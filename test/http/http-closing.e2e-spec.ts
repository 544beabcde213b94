import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ReadinessService } from '../../src/health/readiness.service.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { VALID_BODY } from '../support/hostile/hostile-case.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { chunk } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const STREAMED = VALID_BODY.replace('"stream":false', '"stream":true');

const completion = (body: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

/** A caller, with all that it is told. */
class Caller {
  text = '';
  readonly closed: Promise<unknown>;
  private readonly socket: Socket;

  constructor(gateway: TestGateway) {
    this.socket = connect({ port: Number(new URL(gateway.origin).port), host: '127.0.0.1' });
    this.socket.on('data', (piece: Buffer) => (this.text += piece.toString()));
    this.closed = once(this.socket, 'close');
  }

  send(body: string): void {
    this.socket.write(completion(body));
  }

  /** What tells how the answers and the connection end. */
  get outline(): readonly string[] {
    return this.text.match(/^(HTTP|Connection|data: \[DONE).*(?=\r?$)/gm) ?? [];
  }

  leave(): void {
    this.socket.destroy();
  }
}

describe('a caller of a gateway that stops', () => {
  let stub: OpenAiStub;
  let gateway: TestGateway;
  let caller: Caller;
  /** Lets the answers end, in the order of their requests. */
  let gates: readonly PromiseWithResolvers<void>[];

  beforeEach(async () => {
    stub = await OpenAiStub.start();
    gateway = await startGateway({ PROVIDER: 'openai', UPSTREAM_BASE_URL: stub.baseUrl });
    caller = new Caller(gateway);
    gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const closed = [...gates];
    stub.answerWith(async (reply) => {
      const gate = closed.shift();
      await reply.event(chunk({ content: 'Hello' }));
      await gate?.promise;
      await reply.event(chunk({}, 'stop'));
      await reply.event('[DONE]');
      reply.end();
    });
  });
  afterEach(async () => {
    gates?.forEach(({ resolve }) => resolve());
    caller?.leave();
    await gateway?.close();
    await stub?.close();
  });

  const asked = (count: number): Promise<void> =>
    eventually(PATIENCE_MS, () => expect(stub.requests).toHaveLength(count));
  const answered = (pattern: RegExp): Promise<void> =>
    eventually(PATIENCE_MS, () => expect(caller.text).toMatch(pattern));
  const announce = (): void => gateway.app.get(ReadinessService).announceShutdown();

  test('is told that its connection closes', async () => {
    caller.send(VALID_BODY);
    await asked(1);
    announce();
    gates[0]?.resolve();
    await caller.closed;
    expect(caller.outline).toEqual(['HTTP/1.1 200 OK', 'Connection: close']);
    expect(caller.text).toContain('"content":"Hello"');
  });

  test('sees its connection closed behind an answer that has begun', async () => {
    caller.send(STREAMED);
    await answered(/Hello/);
    announce();
    gates[0]?.resolve();
    await caller.closed;
    expect(caller.outline).toEqual(['HTTP/1.1 200 OK', 'Connection: keep-alive', 'data: [DONE]']);
    expect(caller.text).toMatch(/data: \[DONE\]\n\n\r\n0\r\n\r\n$/);
  });

  test('is answered the request behind an answer that has begun, too', async () => {
    caller.send(STREAMED);
    await answered(/Hello/);
    caller.send(VALID_BODY);
    await asked(2);
    announce();
    gates[0]?.resolve();
    await answered(/\n0\r\n\r\n$/);
    gates[1]?.resolve();
    await caller.closed;
    expect(caller.outline).toEqual([
      'HTTP/1.1 200 OK',
      'Connection: keep-alive',
      'data: [DONE]',
      'HTTP/1.1 200 OK',
      'Connection: close',
    ]);
  });
});
