import { expect, it } from '@jest/globals';
import { ModelRefusals } from './model-refusals.js';

it('knows the refused models for ten minutes from the last refusal on', () => {
  const refusals = new ModelRefusals();
  expect([refusals.add('m', 0), refusals.add('n', 1000), refusals.add('m', 2000)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(['m', 'n', 'o'].map((model) => refusals.includes(model, 600_999))).toEqual([true, true, false]);
  expect(refusals.endAfter(600_999)).toBe(601_000);
  expect(['m', 'n'].map((model) => refusals.includes(model, 601_000))).toEqual([true, false]);
  expect([refusals.endAfter(601_000), refusals.endAfter(602_000)]).toEqual([602_000, undefined]);
  expect(refusals.add('n', 602_000)).toBe(true);
});

it('forgets a model that was answered, or all', () => {
  const refusals = new ModelRefusals();
  ['m', 'n', 'o'].forEach((model) => refusals.add(model, 0));
  expect([refusals.delete('m'), refusals.delete('m')]).toEqual([true, false]);
  expect([refusals.includes('m', 0), refusals.includes('n', 0)]).toEqual([false, true]);
  refusals.clear();
  expect(refusals.includes('n', 0)).toBe(false);
});
