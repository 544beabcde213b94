import { afterEach, expect, it, jest } from '@jest/globals';
import { Outage } from './outage.js';
import { SharedOutage } from './shared-outage.js';

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

afterEach(() => void jest.useRealTimers());

it('tells once of a state in which tries fail and succeed by turns', () => {
  jest.useFakeTimers();
  const told: unknown[] = [];
  const tell = { begun: (error: unknown) => told.push(error), over: () => told.push('over') };
  const outage = new Outage(tell, { isPatchy: true });
  for (let turn = 0; turn < 10; turn++) {
    outage.failed('refused');
    outage.succeeded();
    jest.advanceTimersByTime(1000);
    outage.succeeded();
  }
  expect([told, outage.isOngoing]).toEqual([['refused'], true]);
  jest.advanceTimersByTime(4000);
  expect([told, outage.isOngoing]).toEqual([['refused', 'over'], false]);
  jest.advanceTimersByTime(60_000);
  outage.failed('again');
  expect(told).toEqual(['refused', 'over', 'again']);
});

it('tells once of what several parts use, and of what only one of them meets by that one', () => {
  const told: unknown[] = [];
  const noting = (name: string) => ({
    begun: (error: unknown) => told.push(`${name}: ${String(error)}`),
    over: () => told.push(`${name}: over`),
  });
  const shared = new SharedOutage((error) => error === 'away', noting('all'));
  const [one, other, third] = ['one', 'other', 'third'].map((name) => new Outage(noting(name), { shared }));
  third!.failed('odd');
  one!.failed('away');
  other!.failed('away');
  one!.succeeded();
  one!.failed('away');
  other!.succeeded();
  one!.succeeded();
  third!.succeeded();
  expect(told).toEqual(['third: odd', 'all: away', 'all: over', 'third: over']);
});

it('does not wait for a part that tries only when it is wanted', () => {
  const told: unknown[] = [];
  const noting = (name: string) => ({
    begun: () => told.push(`${name}: begun`),
    over: () => told.push(`${name}: over`),
  });
  const shared = new SharedOutage(() => true, noting('all'));
  const steady = new Outage(noting('steady'), { shared });
  const seldom = new Outage(noting('seldom'), { shared, triesOn: false });
  steady.failed('away');
  seldom.failed('away');
  steady.succeeded();
  seldom.succeeded();
  seldom.failed('away');
  seldom.succeeded();
  expect(told).toEqual(['all: begun', 'all: over', 'seldom: begun', 'seldom: over']);
});

it('is ongoing for those who would wait while the decisive part fails, whatever others do', () => {
  const silent = { begun: () => undefined, over: () => undefined };
  const shared = new SharedOutage((error) => error === 'away', silent);
  const [decisive, other] = [new Outage(silent, { shared }), new Outage(silent, { shared })];
  shared.decideBy(decisive);
  other.failed('away');
  expect(shared.isOngoing).toBe(false);
  decisive.failed('away');
  other.succeeded();
  expect(shared.isOngoing).toBe(true);
  other.failed('away');
  decisive.succeeded();
  expect(shared.isOngoing).toBe(false);
  decisive.failed('odd');
  expect(shared.isOngoing).toBe(false);
});
