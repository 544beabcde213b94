import { expect, it } from '@jest/globals';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { Account } from '../registry/account.js';
import { poolCapacity } from './pool-stats.js';

const LIMITS = { POOL_MAX_SESSIONS: 100, POOL_MAX_SESSIONS_PER_ACCOUNT: 8 };

function account(partOf = (whole: number) => whole): Account {
  return new Account('1', 'one', 'operator', {}, 0, { ...ENDLESS, partOf });
}

it('adds the sessions of accounts that are ready', () => {
  const cooling = account();
  cooling.cooldown.extend(1000, 'rate_limit', 0, 0);
  expect(poolCapacity([account(), cooling, account()], LIMITS, 0)).toBe(16);
  expect(poolCapacity([], LIMITS, 0)).toBe(0);
});

it('counts this node’s part of shared accounts', () => {
  expect(poolCapacity([account((whole) => whole / 4), account()], LIMITS, 0)).toBe(10);
});

it('ends at the limit of all sessions', () => {
  expect(poolCapacity([account(), account()], { ...LIMITS, POOL_MAX_SESSIONS: 10 }, 0)).toBe(10);
});
