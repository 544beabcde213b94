import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, type ScriptedDriver, text } from '../../../test/support/upstream/scripted-driver.js';
import { type UpstreamBatch, type UpstreamEvent } from '../../upstream/upstream-driver.js';

const MINUTE_MS = 60_000;
const USAGE = {
  type: 'usage',
  usage: { promptTokens: 1, completionTokens: 1, reasoningTokens: 0, cachedTokens: 0 },
} satisfies UpstreamEvent;

const startRig = useAccountsRig();
let rig: AccountsRig;
let driver: ScriptedDriver;

beforeEach(async () => {
  ({ rig, driver } = await startRig(1, {}));
});

describe('UpstreamAttempt', () => {
  it.each([
    ['an hour', 'answers in pieces', 60, text('x'), 'answer_endless'],
    ['UPSTREAM_PROGRESS_MS', 'gives signs of life only', 10, [], 'no_progress'],
    ['UPSTREAM_PROGRESS_MS', 'repeats its usage', 10, [USAGE], 'no_progress'],
  ] satisfies [string, string, number, UpstreamBatch, string][])(
    'ends after %s with an upstream that %s without end, and its lease is released',
    async (_limit, _how, minutes, batch, fault) => {
      driver.onPrompt = (prompt) => prompt.emit(ACCEPTED, text('x'));
      const call = rig.call();
      let passed = 0;
      for (; call.outcome === undefined && passed < 70; passed++) {
        await jest.advanceTimersByTimeAsync(MINUTE_MS - 1);
        driver.prompts[0]?.emit(batch);
      }
      // The time without progress is noticed up to an eighth late.
      expect(passed).toBeGreaterThanOrEqual(minutes);
      expect(passed).toBeLessThanOrEqual(minutes + 2);
      expect(call.outcome).toMatchObject({ code: 'internal_error', cause: { fault } });
      expect(driver.prompts.map(({ isCancelled }) => isCancelled)).toEqual([true]);
      expect(rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0 });
    },
  );
});
