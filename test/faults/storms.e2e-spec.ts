/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { Clock } from '../../src/common/time/clock.js';
import { attemptsOf, FaultRig, ms, readStream, report } from '../support/gateway/fault-rig.js';
import { answer, failed, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';

/** Time for which the breaker stays open. */
const OPEN_MS = 10_000;

let rig: FaultRig;

afterEach(async () => {
  jest.restoreAllMocks();
  await rig.close();
});

describe('F38: a retry storm while the upstream fails', () => {
  it('prompts do not multiply, one at a time tries the upstream, and its return is noticed', async () => {
    const requests = 300;
    rig = await FaultRig.start(4, { UPSTREAM_FIRST_BYTE_MS: PATIENCE_MS });
    rig.stub.answerWith(failed(500));
    let skipped = 0;
    const clock = rig.gateway.app.get(Clock);
    const monotonic = clock.monotonic.bind(clock);
    jest.spyOn(clock, 'monotonic').mockImplementation(() => monotonic() + skipped);

    const entries = await rig.scenario(async () => {
      // 100 requests a second, however slow the answers are.
      const replies = await Promise.all(
        Array.from({ length: requests }, async (_, index) => {
          // The rate of the storm, not a wait for anything.
          await pause(index * 10);
          return rig.ask();
        }),
      );
      const times = replies.map(({ endedMs }) => endedMs).sort((a, b) => a - b);
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([500]));
      const inStorm = rig.stub.requests.length;
      expect(inStorm).toBeLessThanOrEqual(requests * 1.2);

      skipped += OPEN_MS;
      const stillFailing = await Promise.all(Array.from({ length: 50 }, () => rig.ask()));
      expect(new Set(stillFailing.map(({ status }) => status))).toEqual(new Set([500]));
      const trials = rig.stub.requests.length - inStorm;
      expect(trials).toBe(1);

      skipped += OPEN_MS;
      const release = Promise.withResolvers<void>();
      rig.stub.answerWith(async (reply) => {
        await release.promise;
        await answer({ pieces: ['well'] })(reply);
      });
      const trial = rig.ask();
      await rig.prompts(inStorm + trials + 1);
      const meanwhile = await Promise.all(Array.from({ length: 20 }, () => rig.ask()));
      expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set([500]));
      release.resolve();
      expect(readStream((await trial).body).text).toBe('well');
      expect(rig.stub.requests.length).toBe(inStorm + trials + 1);
      const after = await Promise.all(Array.from({ length: 20 }, () => rig.ask()));
      expect(after.map(({ body }) => readStream(body).text)).toEqual(Array<string>(20).fill('well'));
      report(
        'F38',
        `${requests} requests at 100 a second made ${inStorm} prompts`,
        `median 500 after ${ms(times[requests / 2])}`,
        `${trials} of 50 let through half open`,
        `all served once one was, at most ${OPEN_MS / 1000} s after the upstream is back`,
      );
    });
    expect(
      attemptsOf(entries)
        .flat()
        .filter((outcome) => outcome !== 'ok').length,
    ).toBe(rig.stub.requests.filter(({ acceptedAt }) => acceptedAt === undefined).length);
  });
});

describe('a thousand requests over four accounts', () => {
  const REQUESTS = 1000;
  const PARALLEL = 12;
  const ALLOWED = ['ok', 'cancelled', 'rate_limited', 'upstream_error'];
  const COOLDOWN_MS = 300;

  it('with limits, failures and departures: each ends once, evenly, and no resting account is used', async () => {
    rig = await FaultRig.start(4, { RATE_LIMIT_COOLDOWN_MS: COOLDOWN_MS, POOL_MAX_SESSIONS_PER_ACCOUNT: 4 });
    const usedAtRest = watchResting();
    // Each account meets its limit at another time.
    const seen = new Map<string, number>(rig.keys.map((key, index) => [key, index * 5]));
    const good = answer({ pieces: ['one', ' two', ' three'], intervalMs: 3 });
    rig.stub.answerWith(async (reply) => {
      const { key } = reply.request;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      if (count % 20 === 0) {
        await rateLimited()(reply);
      } else {
        await (count % 20 === 10 ? failed(500) : good)(reply);
      }
    });
    const entries = await rig.scenario(async () => {
      const began = performance.now();
      const pending = Array.from({ length: REQUESTS }, (_, index) => index);
      const work = async (): Promise<void> => {
        for (let index = pending.shift(); index !== undefined; index = pending.shift()) {
          const leaves = index % 10 === 7 ? { leaveAfterMs: index % 20 } : {};
          const { status } = await rig.ask({ stream: index % 4 !== 0, ...leaves });
          // Callers come back after a limit, too.
          if (status === 429) {
            await pause(COOLDOWN_MS);
          }
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
      const { replies } = rig;
      const whole = replies.filter(({ status, isWhole }) => status === 200 && isWhole);
      for (const { body } of whole) {
        expect(body.startsWith('{') ? body : readStream(body).text).toContain('one two three');
      }
      const counts = rig.keys.map((key) => rig.stub.requests.filter((request) => request.key === key).length);
      expectEven(counts);
      expect(usedAtRest).toEqual([]);
      report(
        'mix',
        `${REQUESTS} requests in ${ms(performance.now() - began)}`,
        `${whole.length} answered`,
        `prompts by account ${counts.join(', ')}`,
      );
    });
    const outcomes = Object.groupBy(entries, ({ outcome }) => outcome);
    expect(entries.length).toBe(REQUESTS);
    report('mix', ...Object.entries(outcomes).map(([outcome, { length }]) => `${length} ${outcome}`));
    // Where every account rests at once, callers are told so.
    expect(Object.keys(outcomes).filter((outcome) => !ALLOWED.includes(outcome))).toEqual([]);
    expect(outcomes.ok?.length).toBeGreaterThan(REQUESTS / 2);
    expect(outcomes.cancelled?.length).toBeGreaterThan(0);
  });

  /** Within a fifth of the mean. */
  function expectEven(counts: readonly number[]): void {
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(counts.filter((count) => Math.abs(count - mean) > mean / 5)).toEqual([]);
  }

  /** Names of accounts that are used during their cooldown, from now on. */
  function watchResting(): readonly string[] {
    const used: string[] = [];
    const health = rig.gateway.app.get(AccountHealth);
    const count = health.countRequest.bind(health);
    jest.spyOn(health, 'countRequest').mockImplementation((account) => {
      if (account.cooldown.isCooling(performance.now())) {
        used.push(account.name);
      }
      count(account);
    });
    return used;
  }
});
