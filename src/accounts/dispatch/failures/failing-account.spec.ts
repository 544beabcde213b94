import { describe, expect, it, jest } from '@jest/globals';
import { type Call } from '../../../../test/support/gateway/accounts-rig.js';
import { settle, useDispatchRig } from '../../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, DONE, type SentPrompt, text } from '../../../../test/support/upstream/scripted-driver.js';
import { UnavailableError } from '../../../upstream/upstream.errors.js';
import { UpstreamDownError } from '../../accounts.errors.js';

const start = useDispatchRig();

/** Answers that begin at once and take six seconds. */
function answerSlowly(prompt: SentPrompt): void {
  prompt.emit(ACCEPTED, text('x'));
  setTimeout(() => {
    prompt.emit(DONE);
    prompt.end();
  }, 6000);
}

function failSoon(prompt: SentPrompt): void {
  setTimeout(() => prompt.fail(new UnavailableError('upstream_status_403', 'suspended')), 20);
}

async function callEvery(ms: number, count: number, call: () => Call): Promise<Call[]> {
  const calls: Call[] = [];
  for (let at = 0; at < count; at += 1) {
    calls.push(call());
    await jest.advanceTimersByTimeAsync(ms);
  }
  await jest.advanceTimersByTimeAsync(60_000);
  return calls;
}

describe('UpstreamDispatcher, the trial after the upstream has failed', () => {
  it('lets the next request in once it is accepted; if it fails, requests are refused again', async () => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 1 });
    driver.onPrompt = (prompt) => prompt.fail(new UnavailableError('upstream_status_500', 'x'));
    await callEvery(2000, 5, () => rig.call());
    driver.prompts.length = 0;
    driver.onPrompt = () => undefined;
    const trial = rig.call();
    await settle();
    const early = rig.call();
    await settle();
    expect(early.outcome).toBeInstanceOf(UpstreamDownError);
    driver.prompts[0]?.emit(ACCEPTED);
    const second = rig.call();
    await settle();
    const third = rig.call();
    await settle();
    expect([second.outcome, driver.prompts.length]).toEqual([undefined, 2]);
    expect(third.outcome).toBeInstanceOf(UpstreamDownError);
    trial.abort();
    await settle();
    // The second one has yet to be accepted.
    const fourth = rig.call();
    await settle();
    expect(fourth.outcome).toBeInstanceOf(UpstreamDownError);
    driver.prompts[1]?.emit(ACCEPTED);
    driver.prompts[1]?.fail(new UnavailableError('upstream_error', 'x'));
    const last = rig.call();
    await settle();
    expect(last.outcome).toBeInstanceOf(UpstreamDownError);
  });
});

describe('UpstreamDispatcher, one account that fails every prompt', () => {
  it.each([
    ['have sessions to spare', { POOL_MAX_SESSIONS_PER_ACCOUNT: 8 }],
    ['are all busy', { POOL_MAX_SESSIONS_PER_ACCOUNT: 3, POOL_ACQUIRE_TIMEOUT_MS: 60_000 }],
  ])('takes no request down while the others %s', async (_, limits) => {
    const { rig, driver } = await start(5, limits);
    driver.onPrompt = (prompt) => (prompt.account === 'a' ? failSoon(prompt) : answerSlowly(prompt));
    const calls = await callEvery(400, 100, () => rig.call());
    expect(calls.filter(({ outcome }) => outcome !== 'completed').map(({ outcome }) => outcome)).toEqual([]);
    // In 40 s it is tried after 0, 1, 2, 4, 8 and 16 more seconds, by as many requests as wait.
    expect(driver.promptsByAccount()['a']).toBeLessThanOrEqual(6 * limits.POOL_MAX_SESSIONS_PER_ACCOUNT);
  });

  it('takes its share again after it has answered', async () => {
    const { rig, driver } = await start(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 8 });
    driver.onPrompt = (prompt) => (prompt.account === 'a' ? failSoon(prompt) : answerSlowly(prompt));
    await callEvery(400, 20, () => rig.call());
    driver.onPrompt = answerSlowly;
    await callEvery(400, 20, () => rig.call());
    driver.prompts.length = 0;
    await callEvery(400, 20, () => rig.call());
    expect(driver.promptsByAccount()['a']).toBeGreaterThanOrEqual(8);
  });

  it('is refused for a while when it is the only one', async () => {
    const { rig, driver } = await start(2, { RETRY_MAX_ATTEMPTS: 1 });
    await rig.commands.disable(null, rig.account('b').id);
    driver.onPrompt = failSoon;
    for (let at = 0; at < 8; at += 1) {
      rig.call();
      await jest.advanceTimersByTimeAsync(400);
    }
    expect(driver.prompts.length).toBe(5);
    expect(rig.upstream.refusesForMs).toBeGreaterThan(0);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([rig.upstream.refusesForMs, rig.upstream.failedForMs]).toEqual([undefined, 10_000]);
  });
});
