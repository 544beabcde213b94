import { describe, expect, it, jest } from '@jest/globals';
import { REQUEST } from '../../../../test/support/gateway/accounts-rig.js';
import { outcomesOf, settle, useDispatchRig } from '../../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, DONE, type SentPrompt, text } from '../../../../test/support/upstream/scripted-driver.js';
import { type UnavailableFault } from '../../../upstream/unavailable-fault.js';
import { UnavailableError } from '../../../upstream/upstream.errors.js';

const start = useDispatchRig();
const BIG = { ...REQUEST, model: 'big' };
const SMALL = { ...REQUEST, model: 'small' };

/** As Ollama does where a model needs more memory than there is. */
const failingBig =
  (fault: UnavailableFault) =>
  (prompt: SentPrompt): void => {
    if (prompt.request.model === 'big') {
      prompt.fail(new UnavailableError(fault, 'x'));
    } else {
      prompt.emit(ACCEPTED, text('x'), DONE);
      prompt.end();
    }
  };

describe('UpstreamDispatcher, one model that fails every prompt', () => {
  it('takes no other model down, at an API', async () => {
    const { rig, driver } = await start(1, { PROVIDER: 'openai', RETRY_MAX_ATTEMPTS: 1 });
    driver.onPrompt = failingBig('upstream_status_500');
    for (let at = 0; at < 5; at += 1) {
      rig.call(BIG);
      await settle();
    }
    const outcomes: unknown[] = [];
    for (let at = 0; at < 60; at += 1) {
      rig.call(BIG);
      await settle();
      const call = rig.call(SMALL);
      await settle();
      outcomes.push(call.outcome);
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(outcomes.filter((outcome) => outcome !== 'completed')).toEqual([]);
    // Five failures, and from then on one trial in ten seconds.
    expect(driver.prompts.filter(({ request }) => request.model === 'big').length).toBeLessThanOrEqual(11);
    expect([rig.upstream.failedForMs, rig.upstream.refusesForMs]).toEqual([undefined, undefined]);
  });

  it('is refused for a while if only one account may use it', async () => {
    const { rig, driver } = await start(2, { PROVIDER: 'openai', RETRY_MAX_ATTEMPTS: 1 });
    rig.health.modelRefused(rig.account('b'), 'big');
    driver.onPrompt = failingBig('upstream_status_500');
    for (let at = 0; at < 8; at += 1) {
      rig.call(BIG);
      await jest.advanceTimersByTimeAsync(400);
    }
    expect(driver.promptsByAccount()).toEqual({ a: 5 });
  });

  it.each<[what: string, provider: 'openai' | 'web', fault: UnavailableFault]>([
    ['at an API that cannot be reached', 'openai', 'connect_failed'],
    ['at a site, whose models are one page', 'web', 'upstream_status_500'],
  ])('takes all models down %s', async (_what, provider, fault) => {
    const { rig, driver } = await start(1, { PROVIDER: provider, RETRY_MAX_ATTEMPTS: 1 });
    driver.onPrompt = failingBig(fault);
    for (let at = 0; at < 5; at += 1) {
      rig.call(BIG);
      await settle();
    }
    const call = rig.call(SMALL);
    await settle();
    expect(call.outcome).toMatchObject({ name: 'UpstreamDownError' });
    expect(outcomesOf(call)).toEqual([]);
    expect([rig.upstream.failedForMs, rig.upstream.refusesForMs]).toEqual([0, 10_000]);
  });
});
