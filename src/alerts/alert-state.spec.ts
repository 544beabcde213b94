import { describe, expect, it } from '@jest/globals';
import { afterAlert, alertsOf, ALL_WELL, confirmed, type WatchedState } from './alert-state.js';

const state = (changes: Partial<WatchedState>): WatchedState => ({ ...ALL_WELL, ...changes });

const CASES: readonly (readonly [Partial<WatchedState>, Partial<WatchedState>, readonly object[]])[] = [
  [{}, {}, []],
  [{ readiness: 'no_account' }, { readiness: 'no_account', detail: 'x' }, []],
  [
    {},
    { readiness: 'no_account' },
    [{ event: 'not_serving', reason: 'no_account', text: 'The gateway does not serve: no account.' }],
  ],
  [
    {},
    { readiness: 'browser_missing', detail: 'No browser was found.' },
    [
      {
        event: 'not_serving',
        reason: 'browser_missing',
        text: 'The gateway does not serve: No browser was found.',
      },
    ],
  ],
  [{ readiness: 'no_account' }, {}, [{ event: 'serving_again', text: 'The gateway serves again.' }]],
  [
    { accountsOut: ['a', 'b'] },
    { accountsOut: ['b', 'c'] },
    [
      { event: 'account_needs_login', account: 'c', text: "The account 'c' needs a login." },
      { event: 'account_back', account: 'a', text: "The account 'a' no longer needs a login." },
    ],
  ],
  [
    {},
    { isLogHealthy: false },
    [{ event: 'log_not_written', text: 'The log cannot be written: the process log says why.' }],
  ],
  [{ isLogHealthy: false }, {}, [{ event: 'log_written_again', text: 'The log can be written again.' }]],
];

it.each(CASES)('from %j to %j', (before, now, expected) => {
  expect(alertsOf(state(before), state(now))).toEqual(expected);
});

it.each(CASES)('from %j to %j, alert by alert', (before, now) => {
  const reached = alertsOf(state(before), state(now)).reduce(afterAlert, state(before));
  expect({ ...reached, detail: now.detail }).toEqual(state(now));
});

describe('confirmed', () => {
  const out = state({ readiness: 'no_account', accountsOut: ['a'], isLogHealthy: false });

  it.each<
    [string, Partial<WatchedState>, Partial<WatchedState>, Partial<WatchedState>, Partial<WatchedState>]
  >([
    ['what is worse at one look only', {}, {}, out, {}],
    ['what is worse at two', {}, out, out, out],
    ['what is better at one', out, out, {}, {}],
    ['what goes on', out, out, out, out],
    [
      'a new account among those reported',
      { accountsOut: ['a'] },
      { accountsOut: ['a'] },
      { accountsOut: ['b', 'a'] },
      { accountsOut: ['a'] },
    ],
    [
      'another reason at the second look',
      {},
      { readiness: 'no_account' },
      { readiness: 'browser_missing', detail: 'x' },
      { readiness: 'browser_missing', detail: 'x' },
    ],
    [
      'another reason than the reported one',
      { readiness: 'no_account' },
      { readiness: 'no_account' },
      { readiness: 'browser_missing' },
      { readiness: 'browser_missing' },
    ],
  ])('of %s', (_, reported, before, now, expected) => {
    expect(confirmed(state(reported), state(before), state(now))).toEqual(state(expected));
  });
});
