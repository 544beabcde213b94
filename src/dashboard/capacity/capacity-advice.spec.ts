import { expect, it } from '@jest/globals';
import { capacityAdvice } from './capacity-advice.js';

const minutes = (...all: (readonly [capacity: number, leases: number, waiting: number])[]) =>
  all.map(([capacity, leases, waiting], at) => ({ at: at * 60_000, capacity, leases, waiting }));

it.each([
  [[], 'No session was in use whenever the pool was looked at, once a second.'],
  [minutes([4, 0, 0]), 'No session was in use whenever the pool was looked at, once a second.'],
  [minutes([4, 1, 0], [4, 0, 0]), 'At peak 1 session of 4 was in use and nobody waited. That is enough.'],
  [
    minutes([4, 4, 0]),
    'At peak 4 sessions of 4 were in use and nobody waited. There is little room left: one more account would give some.',
  ],
  [
    minutes([4, 4, 0], [4, 4, 3], [4, 2, 0]),
    'At peak 3 requests waited for a session; in 1 of 3 minutes somebody did. All 4 were in use: add an account, or raise POOL_MAX_SESSIONS_PER_ACCOUNT if the site bears it.',
  ],
  [
    minutes([8, 8, 1]),
    'At peak 1 request waited for a session; in 1 of 1 minute somebody did. All 8 were in use, as many as POOL_MAX_SESSIONS allows: raise it.',
  ],
  [
    minutes([4, 1, 2]),
    'At peak 2 requests waited for a session; in 1 of 1 minute somebody did. 3 more could have been opened: raise POOL_MIN_SESSIONS, so that they are open before they are needed.',
  ],
  [
    minutes([0, 0, 2]),
    'At peak 2 requests waited for a session; in 1 of 1 minute somebody did. No account was ready then: the page of the accounts says why.',
  ],
])('of %j says %s', (history, advice) => {
  expect(capacityAdvice({ minutes: history, limited: 0 }, { POOL_MAX_SESSIONS: 8 })).toBe(advice);
});

it.each([
  [
    [],
    1,
    '1 request was refused because every account cooled down: more accounts help. No session was in use whenever the pool was looked at, once a second.',
  ],
  [
    minutes([32, 1, 0]),
    61,
    '61 requests were refused because every account cooled down: more accounts help. At peak 1 session of 32 was in use and nobody waited.',
  ],
  [
    minutes([4, 4, 0]),
    61,
    '61 requests were refused because every account cooled down: more accounts help. At peak 4 sessions of 4 were in use and nobody waited.',
  ],
])('of %j, and %i refused, says %s', (history, limited, advice) => {
  expect(capacityAdvice({ minutes: history, limited }, { POOL_MAX_SESSIONS: 8 })).toBe(advice);
});

it('says that it knows of no sessions from before the start', () => {
  const state = { minutes: minutes([4, 1, 0]), limited: 2, isSinceStart: true };
  expect(capacityAdvice(state, { POOL_MAX_SESSIONS: 8 })).toBe(
    '2 requests were refused because every account cooled down: more accounts help. Since the start, at peak 1 session of 4 was in use and nobody waited.',
  );
});

it('says of which gateway the sessions are, where there are several', () => {
  const state = { minutes: minutes([4, 1, 0]), limited: 0, gateway: 'west-1' };
  expect(capacityAdvice(state, { POOL_MAX_SESSIONS: 8 })).toBe(
    "At peak 1 session of 4 was in use and nobody waited. That is enough. The sessions are those of the gateway 'west-1' alone.",
  );
});

it.each([
  [13_400, 'somebody did, the longest for 13 s. All 4'],
  [1940, 'somebody did, the longest for 1.9 s. All 4'],
  [99, 'somebody did, the longest for less than 0.1 s. All 4'],
  [undefined, 'somebody did. All 4'],
])('says that the longest of those that waited did so for %s ms', (longestWaitMs, words) => {
  const state = { minutes: minutes([4, 4, 3]), limited: 0, longestWaitMs };
  expect(capacityAdvice(state, { POOL_MAX_SESSIONS: 8 })).toContain(words);
});

it('says nothing of the longest wait where nobody was seen to wait', () => {
  const state = { minutes: minutes([4, 1, 0]), limited: 0, longestWaitMs: 30 };
  expect(capacityAdvice(state, { POOL_MAX_SESSIONS: 8 })).not.toContain('longest');
});
