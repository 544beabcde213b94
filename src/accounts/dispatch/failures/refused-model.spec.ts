import { describe, expect, it, jest } from '@jest/globals';
import { REQUEST } from '../../../../test/support/gateway/accounts-rig.js';
import { outcomesOf, settle, useDispatchRig } from '../../../../test/support/gateway/dispatch-rig.js';
import { type SentPrompt } from '../../../../test/support/upstream/scripted-driver.js';
import { RateLimitedError, RejectedError } from '../../../upstream/upstream.errors.js';

const start = useDispatchRig();
const REFUSAL = new RejectedError('model_refused', 'There is no such model.');

/** The accounts of these names have no access to the model `m`. */
function withoutModel(...names: string[]): (prompt: SentPrompt) => void {
  return (prompt) =>
    names.includes(prompt.account) && prompt.request.model === 'm'
      ? prompt.fail(REFUSAL)
      : prompt.answer('x');
}

describe('UpstreamDispatcher, a model that the upstream refuses an account', () => {
  it('is asked of another account at once, and from then on first', async () => {
    const { rig, driver } = await start(3, { POOL_MIN_SESSIONS: 3 });
    driver.onPrompt = withoutModel('a');
    const first = rig.call();
    await settle();
    expect(outcomesOf(first)).toEqual(['a model_refused', 'b ok']);
    const calls = [rig.call(), rig.call(), rig.call({ ...REQUEST, model: 'n' })];
    await settle();
    expect(calls.map(outcomesOf)).toEqual([['c ok'], ['b ok'], ['a ok']]);
    expect(calls[0]?.report.attempts[0]?.considered?.[0]).toEqual({ account: 'a', outcome: 'model_refused' });
    expect(rig.account('a').stateAt(rig.clock.monotonic())).toBe('ready');
    driver.onPrompt = withoutModel();
    await jest.advanceTimersByTimeAsync(600_000);
    const later = [rig.call(), rig.call(), rig.call()];
    await settle();
    expect(later.map(outcomesOf)).toContainEqual(['a ok']);
  });

  it('waits for the other accounts rather than for the one without it', async () => {
    const { rig, driver } = await start(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_MIN_SESSIONS: 2 });
    driver.onPrompt = withoutModel('a');
    rig.call();
    await settle();
    driver.onPrompt = (prompt) => void setTimeout(() => prompt.answer('late'), 1000);
    const calls = [rig.call(), rig.call()];
    await jest.advanceTimersByTimeAsync(2000);
    expect(calls.map(outcomesOf)).toEqual([['b ok'], ['b ok']]);
  });

  it('is a limit where every other account meets one', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) =>
      prompt.account === 'a'
        ? prompt.fail(REFUSAL)
        : prompt.fail(new RateLimitedError(90_000, { message: 'x', isOfModel: true }));
    const calls = [rig.call()];
    await settle();
    calls.push(rig.call());
    await settle();
    const limited = { code: 'rate_limit', retryAfterMs: 90_000 };
    expect(calls.map(({ outcome }) => outcome)).toMatchObject([limited, limited]);
  });

  it('is refused to the caller if no account has it, by one attempt once that is known', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = withoutModel('a', 'b');
    const refused = { code: 'invalid_request', message: 'There is no such model.' };
    for (const attempts of [2, 1, 1]) {
      const call = rig.call();
      await settle();
      expect(call.outcome).toMatchObject(refused);
      expect(outcomesOf(call)).toHaveLength(attempts);
    }
    const other = rig.call({ ...REQUEST, model: 'n' });
    await settle();
    expect(other.outcome).toBe('completed');
  });

  it('is asked of all accounts again after an answer of one that had refused it', async () => {
    const { rig, driver } = await start(3, { POOL_MIN_SESSIONS: 3 });
    driver.onPrompt = withoutModel('a', 'b', 'c');
    rig.call();
    await settle();
    rig.call();
    await settle();
    driver.onPrompt = withoutModel();
    const calls = [];
    for (let i = 0; i < 3; i++) {
      calls.push(rig.call());
      await settle();
    }
    expect(calls.map(outcomesOf).sort()).toEqual([['a ok'], ['b ok'], ['c ok']]);
  });

  it('is refused by the only account as before', async () => {
    const { rig, driver } = await start(1);
    driver.onPrompt = withoutModel('a');
    const call = rig.call();
    await settle();
    expect([call.outcome, outcomesOf(call)]).toMatchObject([
      { code: 'invalid_request' },
      ['a model_refused'],
    ]);
  });

  it('is asked again after new credentials', async () => {
    const { rig, driver } = await start(1);
    const { id } = await rig.commands.add(null, 'mine', { key: 'old' });
    driver.onPrompt = withoutModel('mine');
    await Promise.all([rig.call().ended, rig.call().ended]);
    const account = rig.registry.get(id);
    expect(account.refusals.includes('m', rig.clock.monotonic())).toBe(true);
    await rig.commands.update(null, id, { key: 'new' });
    expect(account.refusals.includes('m', rig.clock.monotonic())).toBe(false);
  });
});
