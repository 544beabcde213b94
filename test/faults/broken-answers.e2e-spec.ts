/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { attemptsOf, FAILED, FaultRig, ms, readStream, report } from '../support/gateway/fault-rig.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import {
  chunk,
  empty,
  failed,
  garbage,
  gzipGarbage,
  invalidUtf8,
  longLine,
  truncated,
  withBytes,
  wrongType,
} from '../support/upstream/openai-stub-plans.js';
import { processPace } from '../support/watch/machine-pace.js';

const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const HELLO = `data: ${JSON.stringify(chunk({ content: 'Hello' }))}\n\n`;
const FINISH = `data: ${JSON.stringify(chunk({}, 'stop'))}\n\n`;
const LINE_BYTES = 9 * 2 ** 20;

/** The bytes of an answer to a prompt that was accepted. */
function taken(bytes: string): StubPlan {
  return async (reply) => {
    reply.accept();
    await reply.body(200, EVENT_STREAM, bytes);
  };
}

let rig: FaultRig;

beforeEach(async () => {
  rig = await FaultRig.start(2, { UPSTREAM_IDLE_MS: 2000, UPSTREAM_FIRST_BYTE_MS: 2000 });
});
afterEach(() => rig.close());

describe('F15: an upstream that fails before its answer', () => {
  const leaky = (): StubPlan => failed(500, { message: `worker of ${rig.keys[0]} died at /srv/model.py` });

  it.each<[string, () => StubPlan, string]>([
    ['status 500', leaky, 'upstream_status_500'],
    [
      'status 503 as HTML',
      () => failed(503, '<html>busy</html>', { 'content-type': 'text/html' }),
      'upstream_status_503',
    ],
    ['another content type', wrongType, 'unexpected_content_type'],
    ['bytes that say gzip', gzipGarbage, 'unexpected_content_type'],
    ['an empty 200', empty, 'empty_response'],
    ['only [DONE]', () => withBytes(EVENT_STREAM, 'data: [DONE]\n\n'), 'empty_response'],
    ['another protocol', () => (reply) => reply.notHttp(), 'connection_lost'],
    ['garbage', garbage, 'malformed_event'],
  ])('%s: tried again, then 500', async (name, plan, reason) => {
    rig.stub.answerWith(plan());
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({ error: FAILED });
      await processPace.expectWithin(reply.endedMs, 2000);
      const reusable = await rig.reusableMs(reply.endedAt);
      await processPace.expectWithin(reusable, 1000);
      report('F15 pre', `${name}: 500 after ${ms(reply.endedMs)}`, `reusable after ${ms(reusable)}`);
    });
    expect(attemptsOf(entries)).toEqual([Array<string>(rig.attempts).fill(reason), ['ok']]);
    expect(entries[0]).toMatchObject({ outcome: 'upstream_error', status: 500 });
    expect((entries[0]?.error?.cause ?? '').length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['once', failed(500)],
    ['with another content type', wrongType()],
  ])('%s: another account answers', async (_name, plan) => {
    rig.stub.answerNextWith(plan);
    rig.stub.answerWith(taken(`${HELLO}${FINISH}`));
    await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'Hello', finish: 'stop', isDone: true });
      expect(rig.stub.requests.map(({ key }) => rig.keys.indexOf(key))).toEqual([0, 1]);
    });
  });
});

describe('F15: an upstream that fails within its answer', () => {
  it.each<[string, () => StubPlan, string, string]>([
    ['ends without its end', () => truncated(2), '0 1 ', 'truncated'],
    ['turns into garbage', () => taken(`${HELLO}data: {"choices":[{"de\n\n`), 'Hello', 'malformed_event'],
    [
      'reports an error',
      () => taken(`${HELLO}data: {"error":{"message":"CUDA"}}\n\n`),
      'Hello',
      'upstream_error',
    ],
    ['has a line of 9 MiB', () => longLine(LINE_BYTES), '0 ', 'line_too_long'],
    ['breaks off within an event', () => taken(`${HELLO}data: {"choi`), 'Hello', 'truncated'],
  ])('%s: an error event, no [DONE]', async (name, plan, text, reason) => {
    rig.stub.answerWith(plan());
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(reply.status).toBe(200);
      expect(readStream(reply.body)).toEqual({ text, error: FAILED, isDone: false });
      expect(rig.stub.requests.length).toBe(1);
      await processPace.expectWithin(reply.endedMs, 2000);
      const reusable = await rig.reusableMs(reply.endedAt);
      await processPace.expectWithin(reusable, 1000);
      report('F15 mid', `${name}: error event after ${ms(reply.endedMs)}`, `reusable after ${ms(reusable)}`);
    });
    expect(attemptsOf(entries)).toEqual([[reason], ['ok']]);
    expect(entries[0]).toMatchObject({ outcome: 'upstream_error', content: { answer: text } });
  });

  it.each([
    ['an event', (error: string) => taken(`${HELLO}data: {"error":${error}}\n\n`)],
    ['a named event', (error: string) => taken(`${HELLO}event: error\ndata: ${error}\n\n`)],
    ['a body with status 200', (error: string) => failed(200, `{"error":${error}}`)],
  ])('reports an error as %s: the operator reads it in the log, without the key', async (_name, plan) => {
    const [key = ''] = rig.keys;
    rig.stub.answerWith(plan(JSON.stringify({ message: `CUDA out of memory, key ${key}` })));
    const entries = await rig.scenario(async () => {
      await rig.ask();
    });
    const cause = 'The upstream reported an error in its answer. CUDA out of memory, key [redacted]';
    expect(entries[0]?.error?.cause).toBe(cause);
    expect(entries[0]?.attempts?.map(({ detail }) => detail)).toContain(cause);
  });

  it.each([
    ['ends without its end', truncated(2)],
    ['has a line of 9 MiB', longLine(LINE_BYTES)],
  ])('%s, asked for as one body: 500', async (_name, plan) => {
    rig.stub.answerWith(plan);
    await rig.scenario(async () => {
      const reply = await rig.ask({ stream: false });
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({ error: FAILED });
    });
  });

  it('has bytes that are no UTF-8: they are replaced, and the answer is whole', async () => {
    rig.stub.answerWith(invalidUtf8());
    await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'a\ufffd\ufffdb', finish: 'stop', isDone: true });
      report('F15', `invalid UTF-8: answered after ${ms(reply.endedMs)}`);
    });
  });
});

describe('F15: the circuit breaker', () => {
  it('after 5 in a row nothing is sent any more, and requests fail at once', async () => {
    rig.stub.answerWith(failed(500));
    const entries = await rig.scenario(async () => {
      const replies = [];
      for (let index = 0; index < 5; index++) {
        replies.push(await rig.ask());
      }
      expect(replies.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
      expect(rig.stub.requests.length).toBe(5);
      const { body, endedMs } = replies[4]!;
      expect(JSON.parse(body)).toMatchObject({ error: { type: 'server_error', code: 'internal_error' } });
      report('F15 breaker', 'open after 5 failures in a row', `500 after ${ms(endedMs)} then`);
    });
    expect(attemptsOf(entries).map(({ length }) => length)).toEqual([3, 2, 0, 0, 0]);
  });
});
