import { describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig, type Call } from '../../../test/support/gateway/accounts-rig.js';
import { useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, DONE, type ScriptedDriver, text } from '../../../test/support/upstream/scripted-driver.js';
import { type Settings } from '../../common/config/settings.js';
import { InternalError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { RateLimitedError, UnavailableError } from '../../upstream/upstream.errors.js';

const startRig = useAccountsRig();
let rig: AccountsRig;
let driver: ScriptedDriver;

async function start(accounts: number, overrides: Partial<Settings> = {}): Promise<void> {
  ({ rig, driver } = await startRig(accounts, overrides));
  rig.pool.onApplicationBootstrap();
}

/** Numbers from 0 to 999, the same for the same seed. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * 1000);
  };
}

describe('UpstreamDispatcher, 1,000 requests over 4 accounts with 5 % limits, 5 % failures and 10 % departures', () => {
  it.each([1, 2, 3])('end once each, evenly, and never on a cooling account (seed %i)', async (seed) => {
    await start(4, { POOL_MAX_SESSIONS_PER_ACCOUNT: 4, RATE_LIMIT_COOLDOWN_MS: 400, POOL_QUEUE_LIMIT: 1000 });
    const dice = diceOf(seed);
    let onCooling = 0;
    driver.onPrompt = (prompt) => {
      onCooling += Number(rig.account(prompt.account).cooldown.isCooling(rig.clock.monotonic()));
      const luck = dice();
      setTimeout(() => {
        if (luck < 50) {
          prompt.fail(new RateLimitedError());
        } else if (luck < 100) {
          prompt.fail(new UnavailableError('upstream_status_500', 'x'));
        } else {
          prompt.emit(ACCEPTED, text('x'));
          setTimeout(() => {
            prompt.emit(DONE);
            prompt.end();
          }, 40);
        }
      }, 20);
    };
    const calls: Call[] = [];
    const ends: number[] = [];
    const departed = new Set<number>();
    for (let number = 0; number < 1000; number += 1) {
      const call = rig.call();
      calls.push(call);
      ends.push(0);
      void call.ended.then(() => (ends[number] = (ends[number] ?? 0) + 1));
      if (dice() < 100) {
        departed.add(number);
        setTimeout(() => call.abort(), dice() % 70);
      }
      await jest.advanceTimersByTimeAsync(50);
    }
    await jest.advanceTimersByTimeAsync(60_000);

    expect(ends.every((count) => count === 1)).toBe(true);
    const failed = calls.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'completed');
    expect(
      failed.every((error) => error instanceof InternalError || error instanceof TooManyRequestsError),
    ).toBe(true);
    expect(failed.length).toBeLessThan(20);
    expect(departed.size).toBeGreaterThan(50);
    expect(rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0, opening: 0 });
    expect(onCooling).toBe(0);
    const counts = Object.values(driver.promptsByAccount());
    const mean = driver.prompts.length / 4;
    expect(counts.every((count) => Math.abs(count - mean) < 0.2 * mean)).toBe(true);
    expect(driver.prompts.every(({ session }) => !session.isBusy)).toBe(true);
  });
});

describe('UpstreamDispatcher, an upstream that only fails', () => {
  it('gets at most 1.2 prompts a request, and one trial each time the breaker half opens', async () => {
    await start(4, { POOL_MAX_SESSIONS_PER_ACCOUNT: 64, POOL_MAX_SESSIONS: 256 });
    driver.onPrompt = (prompt) => prompt.fail(new UnavailableError('upstream_status_500', 'x'));
    const calls: Call[] = [];
    const promptsBySecond: number[] = [];
    for (let second = 0; second < 20; second += 1) {
      const before = driver.prompts.length;
      for (let tick = 0; tick < 100; tick += 1) {
        calls.push(rig.call());
        await jest.advanceTimersByTimeAsync(10);
      }
      promptsBySecond.push(driver.prompts.length - before);
    }
    expect(driver.prompts.length).toBeLessThanOrEqual(1.2 * calls.length);
    expect(promptsBySecond[0]).toBe(5);
    expect(promptsBySecond.slice(1, 10).every((count) => count === 0)).toBe(true);
    expect(promptsBySecond[10]).toBe(1);
    driver.onPrompt = (prompt) => prompt.answer('back');
    await jest.advanceTimersByTimeAsync(10_000);
    const back = rig.call();
    await jest.advanceTimersByTimeAsync(0);
    expect(back.outcome).toBe('completed');
    expect(calls.every(({ outcome }) => outcome instanceof InternalError)).toBe(true);
  });
});

describe('UpstreamDispatcher, all accounts limited together', () => {
  it('come back with one probe each and at most four prompts an account in the first second', async () => {
    await start(4, {
      RATE_LIMIT_COOLDOWN_MS: 2000,
      WAIT_FOR_COOLDOWN_MS: 0,
      POOL_MAX_SESSIONS_PER_ACCOUNT: 64,
      POOL_MAX_SESSIONS: 256,
    });
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError());
    // Three attempts a request: the second one meets the last account.
    rig.call();
    await jest.advanceTimersByTimeAsync(0);
    rig.call();
    await jest.advanceTimersByTimeAsync(0);
    const refused = rig.call();
    await jest.advanceTimersByTimeAsync(0);
    expect(refused.outcome).toMatchObject({ retryAfterMs: 2000 });

    driver.prompts.length = 0;
    driver.onPrompt = (prompt) => {
      prompt.emit(ACCEPTED);
      setTimeout(() => prompt.answer('ok'), 30);
    };
    await jest.advanceTimersByTimeAsync(2000);
    const calls = Array.from({ length: 200 }, () => rig.call());
    await jest.advanceTimersByTimeAsync(29);
    expect(driver.promptsByAccount()).toEqual({ a: 1, b: 1, c: 1, d: 1 });
    await jest.advanceTimersByTimeAsync(970);
    expect(driver.promptsByAccount()).toEqual({ a: 4, b: 4, c: 4, d: 4 });
    await jest.advanceTimersByTimeAsync(29_000);
    expect(calls.filter(({ outcome }) => outcome === 'completed').length).toBe(200);
  });
});
