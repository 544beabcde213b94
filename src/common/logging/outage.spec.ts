import { expect, it } from '@jest/globals';
import { Outage } from './outage.js';

it('tells of the beginning and of the end, and of nothing between', () => {
  const told: unknown[] = [];
  const outage = new Outage({ begun: (error) => told.push(error), over: () => told.push('over') });
  outage.succeeded();
  outage.failed('first');
  outage.failed('second');
  expect(outage.isOngoing).toBe(true);
  outage.succeeded();
  outage.succeeded();
  expect(outage.isOngoing).toBe(false);
  outage.failed('third');
  expect(told).toEqual(['first', 'over', 'third']);
});
