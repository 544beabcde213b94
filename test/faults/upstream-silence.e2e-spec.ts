/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { attemptsOf, FAILED, FaultRig, ms, readStream, report } from '../support/gateway/fault-rig.js';
import { answer, chunk, hangs, resets } from '../support/upstream/openai-stub-plans.js';
import { processPace } from '../support/watch/machine-pace.js';

/** Time within which a silence beyond the limit must be noticed. */
const LATE_MS = 1000;

let rig: FaultRig;

beforeEach(async () => {
  rig = await FaultRig.start(2);
});
afterEach(() => rig.close());

describe('F11: an upstream that hangs', () => {
  it('before it took the prompt: another account answers', async () => {
    rig.stub.answerNextWith(hangs());
    rig.stub.answerWith(answer({ pieces: ['Hello', ' there'] }));
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'Hello there', finish: 'stop', isDone: true });
      expect(reply.endedMs).toBeGreaterThan(rig.silenceMs);
      await processPace.expectWithin(reply.endedMs - rig.silenceMs, LATE_MS);
      const reusable = await rig.reusableMs(reply.endedAt);
      report(
        'F11 pre',
        `answer from the other account after ${ms(reply.endedMs)}`,
        `reusable after ${ms(reusable)}`,
      );
    });
    expect(attemptsOf(entries)).toEqual([['first_byte_timeout', 'ok'], ['ok']]);
    expect(rig.stub.requests.map(({ key }) => rig.keys.indexOf(key)).slice(0, 2)).toEqual([0, 1]);
    expect(entries.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  it.each([true, false])('at every attempt (stream: %s): 500', async (stream) => {
    rig.stub.answerWith(hangs());
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask({ stream });
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({ error: FAILED });
      await processPace.expectWithin(reply.endedMs - 3 * rig.silenceMs, LATE_MS);
      const reusable = await rig.reusableMs(reply.endedAt);
      await processPace.expectWithin(reusable, 1000);
      report('F11 pre, all', `500 after ${ms(reply.endedMs)}`, `reusable after ${ms(reusable)}`);
    });
    expect(attemptsOf(entries)).toEqual([Array<string>(3).fill('first_byte_timeout'), ['ok']]);
    expect(entries[0]).toMatchObject({ outcome: 'upstream_error', status: 500 });
  });

  it('within its answer: an error event, and the prompt is not sent again', async () => {
    rig.stub.answerWith(hangs(2));
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(reply.status).toBe(200);
      expect(readStream(reply.body)).toEqual({ text: '0 1 ', error: FAILED, isDone: false });
      await processPace.expectWithin(reply.endedMs - rig.silenceMs, LATE_MS);
      expect(rig.stub.requests.length).toBe(1);
      const reusable = await rig.reusableMs(reply.endedAt);
      await processPace.expectWithin(reusable, 1000);
      report('F11 mid', `error event after ${ms(reply.endedMs)}`, `reusable after ${ms(reusable)}`);
    });
    expect(attemptsOf(entries)).toEqual([['stream_idle'], ['ok']]);
    expect(entries[0]).toMatchObject({ outcome: 'upstream_error', content: { answer: '0 1 ' } });
  });

  it('within an answer that is asked for as one body: 500, and the prompt is not sent again', async () => {
    rig.stub.answerWith(hangs(2));
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask({ stream: false });
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({ error: FAILED });
      expect(rig.stub.requests.length).toBe(1);
    });
    expect(attemptsOf(entries)).toEqual([['stream_idle']]);
  });
});

describe('F12: an upstream that resets the connection', () => {
  it('before it took the prompt: another account answers', async () => {
    rig.stub.answerNextWith(resets());
    rig.stub.answerWith(answer({ pieces: ['Hello', ' there'] }));
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'Hello there', finish: 'stop', isDone: true });
      const reusable = await rig.reusableMs(reply.endedAt);
      report(
        'F12 pre',
        `answer from the other account after ${ms(reply.endedMs)}`,
        `reusable after ${ms(reusable)}`,
      );
    });
    expect(attemptsOf(entries)).toEqual([['connection_lost', 'ok'], ['ok']]);
  });

  it('after it took the prompt, before any text: an error, and the prompt is not sent again', async () => {
    rig.stub.answerWith(resets(0));
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(reply.status).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({ error: FAILED });
      expect(rig.stub.requests.length).toBe(1);
      const reusable = await rig.reusableMs(reply.endedAt);
      report('F12 accepted', `500 after ${ms(reply.endedMs)}`, `reusable after ${ms(reusable)}`);
    });
    expect(attemptsOf(entries)).toEqual([['stream_reset'], ['ok']]);
  });

  it('within its answer: an error event within 300 ms', async () => {
    let resetAt = 0;
    rig.stub.answerWith(async (reply) => {
      await reply.event(chunk({ content: 'Hel' }));
      await reply.wait(100);
      resetAt = performance.now();
      reply.reset();
    });
    const entries = await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'Hel', error: FAILED, isDone: false });
      const told = reply.endedAt - resetAt;
      await processPace.expectWithin(told, 300);
      expect(rig.stub.requests.length).toBe(1);
      const reusable = await rig.reusableMs(resetAt);
      await processPace.expectWithin(reusable, 1000);
      report('F12 mid', `error event after ${ms(told)}`, `reusable after ${ms(reusable)}`);
    });
    expect(attemptsOf(entries)).toEqual([['stream_reset'], ['ok']]);
    expect(entries[0]).toMatchObject({ outcome: 'upstream_error', content: { answer: 'Hel' } });
  });
});

describe('F16: answers at the wrong time', () => {
  it('one that comes after its caller left reaches nobody', async () => {
    rig.stub.answerNextWith(async (reply) => {
      await reply.hang();
      await reply.event(chunk({ content: 'too late' }));
    });
    rig.stub.answerWith(answer({ pieces: ['in time'] }));
    const entries = await rig.scenario(async () => {
      const left = await rig.ask({ leaveAfterMs: 100 });
      expect(left.status).toBeUndefined();
      const replies = await Promise.all([rig.ask(), rig.ask(), rig.ask()]);
      expect(replies.map(({ body }) => readStream(body).text)).toEqual(['in time', 'in time', 'in time']);
      const { abortedAt } = await rig.stub.waitFor((request) => request.abortedAt !== undefined);
      report(
        'F16 late',
        `caller gone at ${ms(left.endedMs)}`,
        `upstream told ${ms((abortedAt ?? NaN) - left.endedAt)} later`,
        'answers of others whole',
      );
    });
    expect(attemptsOf(entries)).toEqual([['cancelled'], ['ok'], ['ok'], ['ok']]);
    expect(entries[0]?.outcome).toBe('cancelled');
  });

  it('events that come twice, and text after the end, change nothing', async () => {
    rig.stub.answerWith(async (reply) => {
      for (const data of [
        chunk({ role: 'assistant', content: '' }),
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'once' }),
        chunk({}, 'stop'),
        chunk({}, 'stop'),
        '[DONE]',
        chunk({ content: 'after the end' }),
        '[DONE]',
      ]) {
        await reply.event(data);
      }
      reply.end();
    });
    await rig.scenario(async () => {
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'once', finish: 'stop', isDone: true });
      expect(reply.body.match(/\[DONE\]/g)).toHaveLength(1);
      expect(reply.body.match(/"role"/g)).toHaveLength(1);
      report('F16 twice', 'one role, one end, no text after it');
    });
  });
});
