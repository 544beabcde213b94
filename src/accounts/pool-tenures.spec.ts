import { describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import { ENDLESS } from '../cluster/single-node-tenures.js';
import { type Tenures } from '../cluster/tenures.js';
import { Settings } from '../common/config/settings.js';
import { type Clock } from '../common/time/clock.js';
import { LoginRequiredError } from '../upstream/upstream.errors.js';
import { type UpstreamDriver } from '../upstream/upstream-driver.js';
import { type SessionPool } from './pool/session-pool.js';
import { PoolTenures } from './pool-tenures.js';
import { Account } from './registry/account.js';
import { type AccountRegistry } from './registry/account-registry.js';
import { toLoginFailure } from './registry/login-failure.js';

const LIMIT_MS = 1000;

function accountOf(id: string, tenure = ENDLESS): Account {
  return new Account(id, id, 'operator', {}, 0, tenure);
}

/** @param waitingModels one for each request that waits */
function tenuresOf(
  accounts: readonly Account[],
  now: number,
  waitingModels: readonly string[] = [],
): PoolTenures {
  const find = (id: string) => accounts.find((account) => account.id === id);
  return new PoolTenures(
    { serve: () => undefined } as unknown as Tenures,
    { find, list: () => accounts, isUnstored: () => false } as unknown as AccountRegistry,
    {
      balanced$: NEVER,
      sessionsOf: () => 1,
      unserved: waitingModels.length,
      waitingModels,
    } as unknown as SessionPool,
    new Settings(),
    { monotonic: () => now } as Clock,
    { shares: 1 } as UpstreamDriver,
  );
}

describe('PoolTenures', () => {
  it('keeps the shares of an account until its probe is over, so that no other node sends one meanwhile', () => {
    const account = accountOf('1');
    const tenures = tenuresOf([account], LIMIT_MS);
    account.cooldown.extend(LIMIT_MS, 'rate_limit', 0, 0, { model: 'big' });
    const answers = () => [tenures.isWithinPart('1'), tenures.canServe('1')];
    expect(answers()).toEqual([true, true]);
    const probe = account.cooldown.leaseStarted('big')!;
    expect(answers()).toEqual([false, false]);
    account.cooldown.probeEnded(probe);
    expect(answers()).toEqual([true, true]);
  });

  it('lends what is limited to requests for other models, and wants nothing that serves none of its own', () => {
    const [whole, big, lost] = ['whole', 'big', 'lost'].map((id) => accountOf(id)) as [
      Account,
      Account,
      Account,
    ];
    whole.cooldown.extend(LIMIT_MS, 'rate_limit', 0, 0);
    big.cooldown.extend(LIMIT_MS, 'rate_limit', 0, 0, { model: 'big' });
    lost.loginFailure = toLoginFailure(new LoginRequiredError('blocked', 'A challenge.'), {}, 0);
    const accounts = [accountOf('fit'), whole, big, lost];
    expect(accounts.map(({ id }) => tenuresOf(accounts, 0).canServe(id))).toEqual([true, true, true, false]);
    const unfitFor = (...models: string[]) => tenuresOf(accounts, 0, models).unfit;
    expect(unfitFor()).toEqual([]);
    expect(unfitFor('big')).toEqual(['whole', 'big', 'lost']);
    expect(unfitFor('small')).toEqual(['whole', 'lost']);
    expect(unfitFor('big', 'small')).toEqual(['whole', 'lost']);
  });

  it('asks for the right to probe for the sake of requests for that model alone', () => {
    const account = accountOf('1', { ...ENDLESS, mayProbe: false });
    account.cooldown.extend(LIMIT_MS, 'rate_limit', 0, 0, { model: 'big' });
    const probesFor = (model: string) => tenuresOf([account], LIMIT_MS, [model]).demand.probes;
    expect(probesFor('small')).toEqual([]);
    expect(probesFor('big')).toEqual(['1']);
  });
});
