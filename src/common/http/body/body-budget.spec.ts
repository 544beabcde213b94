import { describe, expect, test } from '@jest/globals';
import { TooManyRequestsError } from '../../errors/gateway.errors.js';
import { BodyBudget, bodyBudgetBytes } from './body-budget.js';

const MIB = 2 ** 20;

describe('BodyBudget', () => {
  test('refuses more than 128 MiB of bodies in flight', () => {
    const budget = new BodyBudget();
    budget.take(128 * MIB);
    expect(() => budget.take(1)).toThrow(TooManyRequestsError);
    budget.giveBack(1);
    budget.take(1);
    expect(() => budget.take(1)).toThrow(expect.objectContaining({ code: 'rate_limit', retryAfterMs: 1000 }));
  });

  test('leaves small bodies 4 MiB, and other keys the half', () => {
    const budget = new BodyBudget();
    budget.take(64 * MIB, 64 * MIB, 'a');
    expect(() => budget.take(1, MIB, 'a')).toThrow(TooManyRequestsError);
    budget.take(1, 1, 'a');
    budget.take(63 * MIB, 63 * MIB, 'b');
    expect(() => budget.take(MIB)).toThrow(TooManyRequestsError);
    budget.take(5 * MIB - 1, 1);
    expect(() => budget.take(1, 1)).toThrow(TooManyRequestsError);
    budget.giveBack(64 * MIB, 'a');
    budget.take(MIB, MIB, 'a');
  });

  test('takes one body of a key above the half, and no other beside it', () => {
    const budget = new BodyBudget();
    budget.take(64 * MIB, 100 * MIB, 'a');
    budget.take(36 * MIB, 100 * MIB, 'a');
    expect(() => budget.take(1, MIB, 'a')).toThrow(TooManyRequestsError);
    expect(() => budget.take(1, 100 * MIB, 'a')).toThrow(TooManyRequestsError);
    expect(() => budget.take(29 * MIB, 129 * MIB, 'a')).toThrow(TooManyRequestsError);
    budget.take(28 * MIB, 28 * MIB, 'b');
  });

  test.each([
    [4096, 128],
    [512, 128],
    [256, 64],
    [96, 24],
  ])('takes with a heap of %d MiB up to %d MiB', (heapMib, limitMib) => {
    expect(bodyBudgetBytes(heapMib * MIB)).toBe(limitMib * MIB);
  });

  test('gives large bodies turns in order, with the event loop running in between', async () => {
    const budget = new BodyBudget();
    const order: string[] = [];
    const note = (text: string) => (): void => void order.push(text);
    const rounds = (async () => {
      for (let i = 1; i <= 2; i++) {
        await new Promise((resolve) => setImmediate(resolve));
        note(`round ${i}`)();
      }
    })();
    await Promise.all([
      budget.turn(MIB)?.then(note('first')),
      budget.turn(MIB)?.then(note('second')),
      budget.turn(MIB)?.then(note('third')),
      rounds,
    ]);
    expect(order.filter((text) => !text.startsWith('round'))).toEqual(['first', 'second', 'third']);
    expect(order.indexOf('round 2')).toBeLessThan(order.indexOf('third'));
  });

  test('lets small bodies pass at once', () => {
    expect(new BodyBudget().turn(64 * 1024)).toBeUndefined();
  });
});
