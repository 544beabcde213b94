import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Settings } from '../../src/common/config/settings.js';
import { errorEvent } from '../support/gateway/error-texts.js';
import { readBody } from '../support/gateway/read-body.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan, type StubRequest } from '../support/upstream/openai-stub.js';
import { answer, answerEvents, failed, hangs } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

/** Time from a caller's departure until the account is free. */
const FREE_MS = 500;
const HEARTBEAT = ': heartbeat\n\n';
const DONE = 'data: [DONE]\n\n';
const MIB = 2 ** 20;

/** Reads a streamed response as far as a test wants. */
class StreamReader {
  private text = '';
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();

  constructor({ body }: Response) {
    this.reader = body!.getReader();
  }

  /** Reads until the text so far fulfils the condition, or to the end. */
  async until(isEnough: (text: string) => boolean): Promise<string> {
    while (!isEnough(this.text)) {
      const { done, value } = await this.reader.read();
      if (done) {
        break;
      }
      this.text += this.decoder.decode(value, { stream: true });
    }
    return this.text;
  }

  toEnd(): Promise<string> {
    return this.until(() => false);
  }
}

describe('callers of POST /v1/chat/completions', () => {
  let gateway: StubGateway;

  afterEach(() => gateway.close());

  async function start(plan: StubPlan, settings: Partial<Settings> = {}): Promise<void> {
    gateway = await StubGateway.start(settings);
    gateway.stub.answerWith(plan);
  }

  /** A caller on a raw socket that has sent a request. */
  function rawCaller(): Socket {
    const json = JSON.stringify(ASK);
    const caller = connect(gateway.port, '127.0.0.1');
    caller.on('error', () => undefined);
    caller.setEncoding('utf8');
    caller.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(json)}\r\nConnection: close\r\n\r\n${json}`,
    );
    return caller;
  }

  describe('who wait', () => {
    const quick = { HEARTBEAT_AFTER_MS: 20, HEARTBEAT_INTERVAL_MS: 20, RETRY_MAX_ATTEMPTS: 1 };

    it('get heartbeats until the answer begins, and while it is silent', async () => {
      const beginning = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      await start(async (reply) => {
        const [role, text, finish] = answerEvents({ pieces: ['Hi'] });
        await beginning.promise;
        await reply.event(role!);
        await reply.event(text!);
        await end.promise;
        await reply.event(finish!);
        await reply.event('[DONE]');
        reply.end();
      }, quick);
      const reader = new StreamReader(await gateway.post(ASK));
      const waited = await reader.until((text) => text.length >= 3 * HEARTBEAT.length);
      expect(waited.replaceAll(HEARTBEAT, '')).toBe('');
      beginning.resolve();
      await reader.until((text) => (text.split('"content":"Hi"')[1] ?? '').split(HEARTBEAT).length > 2);
      end.resolve();
      const frames = (await reader.toEnd()).split('\n\n').filter((frame) => frame !== ': heartbeat');
      expect(frames.map((frame) => /"delta":({.*?}),"l/.exec(frame)?.[1] ?? frame)).toEqual([
        '{"role":"assistant","content":""}',
        '{"content":"Hi"}',
        '{}',
        'data: [DONE]',
        '',
      ]);
    });

    it('are told in the stream if nothing comes of it', async () => {
      const failure = Promise.withResolvers<void>();
      await start(async (reply) => {
        await failure.promise;
        await failed(500)(reply);
      }, quick);
      const response = await gateway.post(ASK);
      failure.resolve();
      const { text } = await readBody(response);
      const frames = text.split('\n\n').filter((frame) => frame !== ': heartbeat');
      expect(response.status).toBe(200);
      expect(frames).toEqual([errorEvent('the upstream failed to answer.').trimEnd(), '']);
    });

    it('for one JSON body get their real status code, however late', async () => {
      const failure = Promise.withResolvers<void>();
      await start(async (reply) => {
        await failure.promise;
        await failed(500)(reply);
      }, quick);
      const response = gateway.complete({ ...ASK, stream: false });
      await gateway.stub.waitFor(() => true);
      // As long as a stream would take to begin with heartbeats; that none comes shows in time only.
      await pause(3 * quick.HEARTBEAT_AFTER_MS);
      failure.resolve();
      expect((await response).status).toBe(500);
    });
  });

  describe('who leave', () => {
    /** Milliseconds from the departure until the upstream sees its side closed. */
    async function leave(caller: AbortController, request: StubRequest): Promise<number> {
      const left = performance.now();
      caller.abort();
      const { abortedAt } = await gateway.stub.waitFor(
        (one) => one === request && one.abortedAt !== undefined,
      );
      return abortedAt! - left;
    }

    async function expectFree(): Promise<void> {
      const left = performance.now();
      await eventually(PATIENCE_MS, () => expect(gateway.lastEntry?.outcome).toBe('cancelled'));
      expect(gateway.pool.stats()).toMatchObject({ leases: 0, waiting: 0 });
      gateway.stub.answerWith(answer({ pieces: ['next'] }));
      expect((await gateway.complete(ASK)).text).toContain('"content":"next"');
      await processPace.expectWithin(performance.now() - left, FREE_MS);
    }

    it.each([
      ['while they wait for the first byte', hangs(), true],
      ['in the middle of a stream', hangs(2), true],
      ['in the middle of a JSON answer', hangs(2), false],
    ])('%s free the account at once', async (_when, plan, stream) => {
      await start(plan, { POOL_MAX_SESSIONS: 1 });
      const caller = new AbortController();
      const response = gateway.post({ ...ASK, stream }, { signal: caller.signal });
      response.catch(() => undefined);
      const request = await gateway.stub.waitFor(() => true);
      if (request.acceptedAt !== undefined && stream) {
        await new StreamReader(await response).until((text) => text.includes('"content":"1 "'));
      }
      await processPace.expectWithin(await leave(caller, request), FREE_MS);
      await expectFree();
      expect(gateway.stub.requests).toHaveLength(2);
    });

    it('the queue give their place free, and are never sent upstream', async () => {
      await start(hangs(1), { POOL_MAX_SESSIONS: 1 });
      const holder = new AbortController();
      const waiting = new AbortController();
      gateway.post(ASK, { signal: holder.signal }).catch(() => undefined);
      const held = await gateway.stub.waitFor(() => true);
      gateway.post(ASK, { signal: waiting.signal }).catch(() => undefined);
      await eventually(PATIENCE_MS, () => expect(gateway.pool.stats().waiting).toBe(1));
      waiting.abort();
      await eventually(PATIENCE_MS, () => expect(gateway.pool.stats().waiting).toBe(0));
      expect(gateway.pool.stats().leases).toBe(1);
      await processPace.expectWithin(await leave(holder, held), FREE_MS);
      expect(gateway.stub.requests).toHaveLength(1);
      await expectFree();
    });

    it('during a back-off are not sent upstream again', async () => {
      await start(failed(500), { RETRY_BASE_DELAY_MS: 60_000, RETRY_MAX_DELAY_MS: 60_000 });
      const caller = new AbortController();
      gateway.post(ASK, { signal: caller.signal }).catch(() => undefined);
      await gateway.stub.waitFor(() => true);
      await eventually(PATIENCE_MS, () => expect(gateway.pool.stats().leases).toBe(0));
      caller.abort();
      await expectFree();
      expect(gateway.stub.requests).toHaveLength(2);
    });
  });

  describe('who read slowly', () => {
    // More than the kernel takes in on both connections together.
    const size = 48 * MIB;
    const piece = 'x'.repeat(64 * 1024);
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const large = answer({ pieces: Array.from({ length: size / piece.length }, () => piece), usage });
    const noLimit = {
      DEFAULT_MAX_TOKENS: size,
      models: { 'svc-max': { contextWindow: 1000, maxOutputTokens: size, thinking: true } },
    };

    it('slow the upstream down, and get all of it once they go on', async () => {
      await start(large, noLimit);
      const reader = new StreamReader(await gateway.post(ASK));
      const request = await gateway.stub.waitFor(() => true);
      let before = -1;
      while (before !== request.bytesWritten()) {
        before = request.bytesWritten();
        // Nothing tells that a connection is full. If it only pauses, the bound below holds all the more.
        await pause(100);
      }
      expect(before).toBeLessThan(size - 8 * MIB);
      const text = await reader.toEnd();
      expect(text.slice(-DONE.length)).toBe(DONE);
      expect(text.split(piece)).toHaveLength(size / piece.length + 1);
    });

    it('are cut off after two heartbeats if they stop reading, and so is the upstream', async () => {
      await start(large, { ...noLimit, HEARTBEAT_INTERVAL_MS: 50 });
      const caller = rawCaller();
      caller.pause();
      const request = await gateway.stub.waitFor((one) => one.abortedAt !== undefined);
      expect(request.bytesWritten()).toBeLessThan(size - 8 * MIB);
      await eventually(PATIENCE_MS, () => expect(gateway.lastEntry?.outcome).toBe('cancelled'));
      expect(gateway.pool.stats().leases).toBe(0);
      caller.destroy();
    });
  });

  it('who say that they will send no more are answered in full', async () => {
    await start(answer({ pieces: ['one', 'two'], intervalMs: 20 }));
    const caller = rawCaller();
    caller.end();
    let received = '';
    caller.on('data', (text) => (received += text as unknown as string));
    await once(caller, 'close');
    expect(received).toContain('"content":"two"');
    expect(received).toContain(DONE);
    expect(gateway.lastEntry?.outcome).toBe('ok');
  });

  it('are answered in full at a shutdown if it takes no longer than DRAIN_MS, else told why not', async () => {
    await start(hangs(1), { DRAIN_MS: 3000 });
    gateway.stub.answerNextWith(answer({ pieces: 5, intervalMs: 20 }));
    const quick = new StreamReader(await gateway.post(ASK));
    await quick.until((text) => text.includes('"content":"0 "'));
    const endless = await gateway.post(ASK);
    const stopped = gateway.stop();
    expect((await quick.toEnd()).endsWith(DONE)).toBe(true);
    const { text, isWhole } = await readBody(endless);
    expect(isWhole).toBe(false);
    expect(text.split('\n\n').slice(-2)).toEqual([
      errorEvent('the gateway is restarting. Please retry.').trimEnd(),
      '',
    ]);
    await stopped;
    expect(gateway.lastEntry?.outcome).toBe('shutdown');
    await expect(gateway.post(ASK)).rejects.toThrow();
  });
});
