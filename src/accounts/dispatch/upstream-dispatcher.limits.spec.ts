import { describe, expect, it, jest } from '@jest/globals';
import { REQUEST, textOf } from '../../../test/support/gateway/accounts-rig.js';
import { outcomesOf, settle, useDispatchRig } from '../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, type SentPrompt, text } from '../../../test/support/upstream/scripted-driver.js';
import { TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { RateLimitedError } from '../../upstream/upstream.errors.js';

const start = useDispatchRig();

describe('UpstreamDispatcher, a rate limit', () => {
  it('sends the prompt to another account at once, even after the upstream took it', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) => {
      if (prompt.account === 'a') {
        prompt.emit(ACCEPTED);
        prompt.fail(new RateLimitedError(5000));
      } else {
        prompt.answer('from b');
      }
    };
    const call = rig.call();
    await settle();
    expect(call.outcome).toBe('completed');
    expect(textOf(call.batches)).toBe('from b');
    expect(outcomesOf(call)).toEqual(['a rate_limited', 'b ok']);
    expect(call.report.attempts.map(({ considered }) => considered)).toEqual([
      [
        { account: 'a', outcome: 'chosen' },
        { account: 'b', outcome: 'no_free_session' },
      ],
      [
        { account: 'a', outcome: 'cooldown' },
        { account: 'b', outcome: 'chosen' },
      ],
    ]);
    expect(call.report.attempts[0]?.detail).toBe('The upstream limits this account.');
    expect(call.report.attempts.map(({ cooldownMs }) => cooldownMs)).toEqual([5000, undefined]);
    expect(call.report).not.toHaveProperty('considered');
    expect(rig.account('a').stateAt(rig.clock.monotonic())).toBe('cooldown');
    expect(rig.account('a').rateLimits).toBe(1);
  });

  it('is answered with the time to the earliest end when every account cools', async () => {
    const { rig, driver } = await start(2);
    const times: Record<string, number> = { a: 90_000, b: 61_500 };
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError(times[prompt.account]));
    const first = rig.call();
    await settle();
    expect(first.outcome).toBeInstanceOf(TooManyRequestsError);
    const prompts = driver.prompts.length;
    await jest.advanceTimersByTimeAsync(1000);
    const second = rig.call();
    await settle();
    expect(second.outcome).toMatchObject({
      code: 'rate_limit',
      reason: 'rate_limited',
      message: expect.stringMatching(
        /^The upstream limits the rate of requests: 2 of 2 accounts are limited, the first until [-\d: ]+ UTC\. Please try again in 61s\.$/,
      ),
      retryAfterMs: 60_500,
    });
    expect(second.report.considered).toEqual([
      { account: 'a', outcome: 'cooldown' },
      { account: 'b', outcome: 'cooldown' },
    ]);
    expect(driver.prompts.length).toBe(prompts);
  });

  it('of one model leaves the account to the others', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) =>
      prompt.request.model === 'm'
        ? prompt.fail(new RateLimitedError(90_000, { message: 'x', isOfModel: true }))
        : prompt.answer('n');
    const first = rig.call();
    await settle();
    expect(first.outcome).toMatchObject({ code: 'rate_limit', retryAfterMs: 90_000 });
    const [other, again] = [rig.call({ ...REQUEST, model: 'n' }), rig.call()];
    await settle();
    expect([other.outcome, outcomesOf(other)]).toEqual(['completed', ['a ok']]);
    expect([again.outcome, outcomesOf(again)]).toEqual([expect.any(TooManyRequestsError), []]);
    expect(again.report.considered?.map(({ outcome }) => outcome)).toEqual(['cooldown', 'cooldown']);
    expect(rig.registry.list().map(({ cooldown }) => cooldown.model)).toEqual(['m', 'm']);
  });

  it('ends requests that wait for a session, too', async () => {
    const { rig, driver } = await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, WAIT_FOR_COOLDOWN_MS: 0 });
    driver.onPrompt = () => undefined;
    const first = rig.call();
    const second = rig.call();
    await settle();
    driver.prompts[0]?.fail(new RateLimitedError(2000));
    await settle();
    expect(first.outcome).toMatchObject({ retryAfterMs: 2000 });
    expect(second.outcome).toMatchObject({ retryAfterMs: 2000 });
  });

  it('after the answer has begun ends the stream and still cools the account', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) => {
      prompt.emit(text('half'));
      prompt.fail(new RateLimitedError(3000));
    };
    const call = rig.call();
    await settle();
    expect(call.outcome).toBeInstanceOf(TooManyRequestsError);
    expect(driver.prompts.length).toBe(1);
    expect(rig.account('a').cooldown.isCooling(rig.clock.monotonic())).toBe(true);
  });

  it('lets one probe through at the end of the cooldown, then four leases in the first second', async () => {
    const { rig, driver } = await start(1, { RATE_LIMIT_COOLDOWN_MS: 2000, WAIT_FOR_COOLDOWN_MS: 0 });
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError());
    rig.call();
    await settle();
    let open: SentPrompt[] = [];
    driver.onPrompt = (prompt) => open.push(prompt);
    await jest.advanceTimersByTimeAsync(2000);
    const calls = Array.from({ length: 50 }, () => rig.call());
    await jest.advanceTimersByTimeAsync(100);
    expect(open.length).toBe(1);
    driver.onPrompt = (prompt) => prompt.answer('quick');
    open[0]?.answer('probe');
    await jest.advanceTimersByTimeAsync(899);
    expect(calls.filter(({ outcome }) => outcome === 'completed').length).toBe(4);
    await jest.advanceTimersByTimeAsync(2000);
    expect(calls.every(({ outcome }) => outcome === 'completed')).toBe(true);
    open = [];
  });

  it.each([
    ['lets others in', true, 2],
    ['holds the others back', false, 1],
  ])('%s once the probe is accepted, where limits are told first: %s', async (_what, tellsFirst, sent) => {
    const { rig, driver } = await start(1, { RATE_LIMIT_COOLDOWN_MS: 1000, WAIT_FOR_COOLDOWN_MS: 0 });
    driver.tellsLimitsFirst = tellsFirst;
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError());
    rig.call();
    await settle();
    driver.prompts.length = 0;
    driver.onPrompt = (prompt) => prompt.emit(ACCEPTED);
    await jest.advanceTimersByTimeAsync(1000);
    const calls = [rig.call(), rig.call()];
    await jest.advanceTimersByTimeAsync(300);
    expect(driver.prompts.length).toBe(sent);
    calls.forEach((call) => call.abort());
    await settle();
  });

  it('is what requests are told that have waited for a probe in vain', async () => {
    const { rig, driver } = await start(1, { POOL_ACQUIRE_TIMEOUT_MS: 2000, RATE_LIMIT_COOLDOWN_MS: 1000 });
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError(1000));
    rig.call().abort();
    await settle();
    rig.health.coolDown(rig.account('a'), 1000, 'limit');
    driver.onPrompt = () => undefined;
    await jest.advanceTimersByTimeAsync(1000);
    const probe = rig.call();
    await settle();
    const waiting = rig.call();
    await jest.advanceTimersByTimeAsync(2000);
    expect([probe.outcome, waiting.outcome]).toMatchObject([undefined, { code: 'rate_limit' }]);
    expect(waiting.outcome).toBeInstanceOf(TooManyRequestsError);
    probe.abort();
    await settle();
  });

  it('is waited out if the first account is back soon, in turn, and the prompt goes out again', async () => {
    const { rig, driver } = await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1 });
    driver.onPrompt = () => undefined;
    const first = rig.call();
    const second = rig.call();
    const leaver = rig.call();
    await settle();
    driver.prompts[0]?.fail(new RateLimitedError(3000));
    leaver.abort();
    driver.onPrompt = (prompt) => prompt.answer('back');
    await jest.advanceTimersByTimeAsync(2999);
    expect([first.outcome, second.outcome, leaver.outcome]).toEqual([undefined, undefined, 'completed']);
    await jest.advanceTimersByTimeAsync(1001);
    expect([first.outcome, second.outcome]).toEqual(['completed', 'completed']);
    expect([outcomesOf(first), outcomesOf(second)]).toEqual([['a rate_limited', 'a ok'], ['a ok']]);
    expect(textOf(leaver.batches)).toBe('');
  });

  it('that lasts too long, or comes back at each probe, is told in the end', async () => {
    const { rig, driver } = await start(1, { POOL_ACQUIRE_TIMEOUT_MS: 4000 });
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError(3000));
    const limited = rig.call();
    await settle();
    const waiting = rig.call();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(outcomesOf(limited)).toEqual(Array(3).fill('a rate_limited'));
    expect(limited.outcome).toMatchObject({ code: 'rate_limit' });
    expect(waiting.outcome).toMatchObject({ code: 'rate_limit' });
    driver.onPrompt = (prompt) => prompt.fail(new RateLimitedError(6000));
    const long = rig.call();
    await jest.advanceTimersByTimeAsync(5000);
    const { retryAfterMs } = long.outcome as TooManyRequestsError;
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(6000);
  });
});
