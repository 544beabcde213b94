import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig, rigOf } from '../../../test/support/gateway/accounts-rig.js';
import { ACCEPTED, type ScriptedDriver, text } from '../../../test/support/upstream/scripted-driver.js';

const MINUTE_MS = 60_000;

let rig: AccountsRig;
let driver: ScriptedDriver;

beforeEach(() => {
  jest.useFakeTimers();
  ({ rig, driver } = rigOf(1, {}));
});

afterEach(async () => {
  await rig.close();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('UpstreamAttempt', () => {
  it.each([
    ['answers in pieces', text('x')],
    ['gives signs of life only', []],
  ])(
    'ends after an hour with an upstream that %s without end, and its lease is released',
    async (_how, batch) => {
      driver.onPrompt = (prompt) => prompt.emit(ACCEPTED, text('x'));
      const call = rig.call();
      for (let minute = 0; minute < 60; minute++) {
        await jest.advanceTimersByTimeAsync(MINUTE_MS - 1);
        expect(call.outcome).toBeUndefined();
        driver.prompts[0]?.emit(batch);
      }
      await jest.advanceTimersByTimeAsync(MINUTE_MS);
      expect(call.outcome).toMatchObject({ code: 'internal_error', cause: { reason: 'answer_endless' } });
      expect(driver.prompts.map(({ isCancelled }) => isCancelled)).toEqual([true]);
      expect(rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0 });
    },
  );
});
