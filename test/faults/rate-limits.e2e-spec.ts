/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/common/time/clock.js';
import { attemptsOf, FaultRig, ms, readStream, report } from '../support/gateway/fault-rig.js';
import { type StubRequest } from '../support/upstream/openai-stub.js';
import { answer, failed, rateLimited, streamError } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

const COOLDOWN_MS = 2000;
/** Jitter of cooldowns: up to a tenth longer, so that accounts do not return together. */
const JITTER = 1.1;

let rig: FaultRig;

afterEach(async () => {
  jest.restoreAllMocks();
  await rig.close();
});

function remainingMs(index: number): number {
  return rig.account(index).cooldown.remainingMs(performance.now());
}

const sinceMs = (at: number): number => performance.now() - at;

describe('F13: a rate limit', () => {
  beforeEach(async () => {
    rig = await FaultRig.start(2);
  });

  it.each([
    ['as JSON with Retry-After', rateLimited({ retryAfter: '7' }), 7000],
    ['as JSON without a time', rateLimited(), COOLDOWN_MS],
    [
      'as JSON that names a time',
      rateLimited({ body: '{"error":{"message":"Rate limit. Please try again in 9s."}}' }),
      9000,
    ],
    ['as HTML', failed(429, '<html>Too many requests</html>', { 'content-type': 'text/html' }), COOLDOWN_MS],
    ['with a reset header', failed(429, {}, { 'x-ratelimit-reset-requests': '4s' }), 4000],
    [
      'as an event of the stream',
      streamError({ code: 'rate_limit_exceeded', message: 'Slow down' }),
      COOLDOWN_MS,
    ],
    ['as an event that names a time', streamError({ code: 429, message: 'Please try again in 3s.' }), 3000],
  ])('%s: another account answers', async (form, plan, cooldownMs) => {
    rig.stub.answerNextWith(plan);
    rig.stub.answerWith(answer({ pieces: ['Hello'] }));
    const entries = await rig.scenario(async () => {
      const askedAt = performance.now();
      const reply = await rig.ask();
      expect(readStream(reply.body)).toEqual({ text: 'Hello', finish: 'stop', isDone: true });
      expect(remainingMs(0)).toBeGreaterThan(cooldownMs - sinceMs(askedAt));
      expect(remainingMs(0)).toBeLessThanOrEqual(cooldownMs * JITTER);
      expect(remainingMs(1)).toBe(0);
      report(
        'F13',
        `${form}: answered after ${ms(reply.endedMs)}`,
        `the account rests ${ms(remainingMs(0))} more`,
      );
    });
    expect(attemptsOf(entries)).toEqual([['rate_limited', 'ok']]);
    expect(entries[0]?.attempts?.[1]?.considered).toEqual([
      { account: rig.account(0).name, outcome: 'cooldown' },
      { account: rig.account(1).name, outcome: 'chosen' },
    ]);
    expect(rig.account(0).cooldown.cause).not.toBe('');
  });

  it.each([
    [20, 50, 20, undefined],
    [90, 75, 75, 'false'],
  ])(
    'of every account (%i s and %i s): 429 with the time to the first end',
    async (first, second, least, retry) => {
      rig.stub.answerKeyWith(rig.keys[0] ?? '', rateLimited({ retryAfter: `${first}` }));
      rig.stub.answerKeyWith(rig.keys[1] ?? '', rateLimited({ retryAfter: `${second}` }));
      const entries = await rig.scenario(async () => {
        for (const stream of [true, false]) {
          const { status, headers, body, endedMs } = await rig.ask({ stream });
          const soonest = Math.min(remainingMs(0), remainingMs(1)) / 1000;
          const retryAfter = Number(headers['retry-after']);
          expect(status).toBe(429);
          expect(JSON.parse(body)).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limit' } });
          expect(soonest).toBeLessThanOrEqual(least * JITTER);
          expect(retryAfter).toBeGreaterThanOrEqual(soonest);
          // In whole seconds, rounded up, at some moment of the request.
          expect(retryAfter).toBeLessThan(soonest + endedMs / 1000 + 1);
          expect(headers['x-should-retry']).toBe(retry);
          report('F13 all', `429 after ${ms(endedMs)}`, `Retry-After ${retryAfter}`);
        }
        expect(rig.stub.requests.length).toBe(2);
      });
      expect(entries.map(({ outcome, status }) => [outcome, status])).toEqual([
        ['rate_limited', 429],
        ['rate_limited', 429],
      ]);
    },
  );

  it('that comes to an account that rests already: a longer one extends its rest, a shorter one does not', async () => {
    await rig.close();
    rig = await FaultRig.start(1);
    // Three prompts are under way before the first limit is told; then each is told once its turn has come.
    const told = ['3', '9', '2'].map((retryAfter) => ({ retryAfter, turn: Promise.withResolvers<void>() }));
    told.forEach(({ retryAfter, turn }, index) => {
      rig.stub.answerNextWith(async (reply) => {
        await turn.promise;
        await rateLimited({ retryAfter })(reply);
        told[index + 1]?.turn.resolve();
      });
    });
    await rig.scenario(async () => {
      void rig.prompts(told.length).then(() => told[0]?.turn.resolve());
      const askedAt = performance.now();
      const replies = await Promise.all([rig.ask(), rig.ask(), rig.ask()]);
      expect(replies.map(({ status }) => status)).toEqual([429, 429, 429]);
      expect(remainingMs(0)).toBeGreaterThan(9000 - sinceMs(askedAt));
      expect(remainingMs(0)).toBeLessThanOrEqual(9000 * JITTER);
      report('F13 again', `after limits of 3, 9 and 2 s the account rests ${ms(remainingMs(0))} more`);
    });
  });
});

describe('F14: 200 callers return after a cooldown of all accounts', () => {
  it('one probe each, then a ramp', async () => {
    const accounts = 2;
    const callers = 200;
    rig = await FaultRig.start(accounts);
    rig.stub.answerWith(rateLimited({ retryAfter: '2' }));
    await rig.scenario(async () => {
      await rig.ask();
      const limited = rig.stub.requests.length;
      expect(limited).toBe(accounts);
      const endsIn = Math.min(...rig.keys.map((_key, index) => remainingMs(index)));
      rig.stub.answerWith(answer({ pieces: ['back'], delayMs: 60 }));
      const began = performance.now();
      await Promise.all(Array.from({ length: callers }, (_, index) => askUntilAnswered(index)));
      const after = rig.stub.requests.slice(limited);
      expect(after.length).toBe(callers);
      for (const key of rig.keys) {
        expectRamp(after.filter((request) => request.key === key));
      }
      const first = after[0]?.receivedAt ?? NaN;
      const inFirstSecond = after.filter(({ receivedAt }) => receivedAt < first + 1000).length;
      expect(inFirstSecond).toBeLessThanOrEqual(accounts * 4);
      expect(first - began).toBeGreaterThan(endsIn - 50);
      report(
        'F14',
        `${inFirstSecond} prompts in the first second over ${accounts} accounts`,
        `first probe ${ms(first - began - endsIn)} after the end`,
        `${callers} callers answered after ${ms(performance.now() - first)}`,
      );
    });
  });

  /** A caller that keeps to Retry-After, more or less. */
  async function askUntilAnswered(index: number): Promise<void> {
    for (;;) {
      const { status, headers } = await rig.ask();
      if (status === 200) {
        return;
      }
      expect(status).toBe(429);
      const wait = Number(headers['retry-after']) * 1000 - 500 + index * 3;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
    }
  }

  /** Nothing follows the probe before it is answered, and then one more every 250 ms. */
  function expectRamp([probe, ...rest]: readonly StubRequest[]): void {
    const answeredAt = probe?.acceptedAt ?? Infinity;
    rest.slice(0, 4).forEach(({ receivedAt }, index) => {
      expect(receivedAt - answeredAt).toBeGreaterThan(250 * (index + 1) - 20);
    });
  }
});

describe('F24: the clock is set during a cooldown', () => {
  it.each([
    ['back', -3_600_000],
    ['on', 3_600_000],
  ])('an hour %s: the rest keeps its length', async (way, jumpMs) => {
    rig = await FaultRig.start(1);
    rig.stub.answerNextWith(rateLimited());
    const entries = await rig.scenario(async () => {
      const limited = await rig.ask();
      expect(limited.status).toBe(429);
      const endsAt = performance.now() + remainingMs(0);
      const clock = rig.gateway.app.get(Clock);
      jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + jumpMs);
      rig.stub.answerWith(answer());
      await eventually(PATIENCE_MS, async () => expect((await rig.ask()).status).toBe(200));
      const late = (rig.stub.requests[1]?.receivedAt ?? NaN) - endsAt;
      expect(late).toBeGreaterThanOrEqual(-1);
      await processPace.expectWithin(late, 200);
      report('F24', `an hour ${way}: account back ${ms(late)} after its time`);
    });
    expect(entries.filter(({ totalMs = -1 }) => totalMs < 0 || totalMs > 5000)).toEqual([]);
  });
});
