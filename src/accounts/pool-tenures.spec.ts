import { expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import { ENDLESS } from '../cluster/single-node-tenures.js';
import { type Tenures } from '../cluster/tenures.js';
import { Settings } from '../common/config/settings.js';
import { type Clock } from '../common/time/clock.js';
import { type UpstreamDriver } from '../upstream/upstream-driver.js';
import { type SessionPool } from './pool/session-pool.js';
import { PoolTenures } from './pool-tenures.js';
import { Account } from './registry/account.js';
import { type AccountRegistry } from './registry/account-registry.js';

const PROBE_MS = 1000;

function tenuresOf(account: Account, now: number): PoolTenures {
  return new PoolTenures(
    { serve: () => undefined } as unknown as Tenures,
    { find: () => account, isUnstored: () => false } as unknown as AccountRegistry,
    { balanced$: NEVER, sessionsOf: () => 1 } as unknown as SessionPool,
    new Settings(),
    { monotonic: () => now } as Clock,
    {} as UpstreamDriver,
  );
}

it('keeps the shares of an account until its probe is over, so that no other node sends one meanwhile', () => {
  const account = new Account('1', 'one', 'operator', {}, 0, ENDLESS);
  const tenures = tenuresOf(account, PROBE_MS);
  account.cooldown.extend(PROBE_MS, 'rate_limit', 0, 0);
  expect(tenures.isWithinPart('1')).toBe(true);
  const probe = account.cooldown.leaseStarted()!;
  expect(tenures.isWithinPart('1')).toBe(false);
  account.cooldown.probeEnded(probe);
  expect(tenures.isWithinPart('1')).toBe(true);
});
