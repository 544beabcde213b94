import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Tenure } from '../../cluster/tenures.js';
import { type Settings } from '../../common/config/settings.js';
import { type Clock } from '../../common/time/clock.js';
import { type AccountSeed } from '../../upstream/upstream-driver.js';
import { Account } from './account.js';
import { type AccountStore, type StoredAccount } from './store/account-store.js';

/** Key of the provider that accounts belong to: an API key must never go to another server because a setting changed. */
export function providerOf({ PROVIDER, SITE_RECIPE, UPSTREAM_BASE_URL }: Settings): string {
  switch (PROVIDER) {
    case 'sandbox':
      return PROVIDER;
    case 'web':
      return `web ${basename(SITE_RECIPE ?? '')}`;
    case 'openai':
      return `openai ${UPSTREAM_BASE_URL ?? ''}`;
  }
}

/**
 * Brings the stored accounts of a provider up to date with the configuration: changed credentials replace the stored
 * ones, and an account that was taken out of the configuration stays in the store, unused, until it is back.
 * @returns the seeds that are not stored yet, and the names that accounts of operators have taken
 */
export async function adoptSeeds(
  store: AccountStore,
  provider: string,
  seeds: readonly AccountSeed[],
): Promise<{ missing: AccountSeed[]; taken: string[] }> {
  const unseen = new Map(seeds.map((seed) => [seed.name, seed]));
  const taken: string[] = [];
  for (const row of await store.list(provider)) {
    const seed = unseen.get(row.name);
    unseen.delete(row.name);
    const isPresent = row.source === 'operator' || seed !== undefined;
    if (isPresent !== row.isPresent) {
      await store.savePresence(row.id, isPresent);
    }
    if (row.source === 'operator' && seed) {
      taken.push(row.name);
    }
    if (row.source === 'configuration' && seed && !isDeepStrictEqual(seed.credentials, row.credentials)) {
      await store.saveCredentials(row.id, seed.credentials);
    }
  }
  return { missing: [...unseen.values()], taken };
}

/**
 * Names of accounts that this node's configuration has, although they are not used any more: another gateway on the same
 * database was started with another configuration.
 */
export function unusedSeeds(gone: readonly Account[], seeds: readonly AccountSeed[]): readonly string[] {
  const own = new Set(seeds.map(({ name }) => name));
  return gone
    .filter(({ source, name }) => source === 'configuration' && own.has(name))
    .map(({ name }) => name);
}

/** @param tenure whether this node may use the account */
export function toAccount(row: StoredAccount, clock: Clock, tenure: Tenure): Account {
  const account = new Account(row.id, row.name, row.source, row.credentials, row.createdAt, tenure);
  const { isEnabled, login = 0, loginFailure, requests, failures, rateLimits, lastUsedAt, lastLoginAt } = row;
  Object.assign(account, {
    isEnabled,
    login,
    loginFailure,
    requests,
    failures,
    rateLimits,
    lastUsedAt,
    lastLoginAt,
  });
  if (row.cooldown) {
    account.cooldown.restore(row.cooldown, clock.monotonic(), clock.now());
  }
  return account;
}
