import { basename } from 'node:path';
import { type Settings } from '../../common/config/settings.js';
import { type Clock } from '../../common/time/clock.js';
import { type AccountSeed } from '../../upstream/upstream-driver.js';
import { Account } from './account.js';
import { type AccountStore, type StoredAccount } from './account-store.js';

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
 * Reads the provider's accounts and brings those of the configuration up to date: changed credentials replace the
 * stored ones, and an account that was taken out of the configuration stays in the store, unused, until it is back.
 * @returns the accounts in use, and as `missing` the seeds that are not stored yet
 */
export function loadAccounts(
  store: AccountStore,
  provider: string,
  seeds: readonly AccountSeed[],
  clock: Clock,
): { accounts: Account[]; missing: AccountSeed[] } {
  const unseen = new Map(seeds.map((seed) => [seed.name, seed]));
  const accounts: Account[] = [];
  for (const row of store.list(provider)) {
    const seed = unseen.get(row.name);
    unseen.delete(row.name);
    const isPresent = row.source === 'operator' || seed !== undefined;
    if (isPresent !== row.isPresent) {
      store.savePresence(row.id, isPresent);
    }
    if (isPresent) {
      const account = toAccount(row, clock);
      if (row.source === 'configuration' && seed) {
        adoptCredentials(account, seed, store);
      }
      accounts.push(account);
    }
  }
  return { accounts, missing: [...unseen.values()] };
}

function toAccount(row: StoredAccount, clock: Clock): Account {
  const account = new Account(row.id, row.name, row.source, row.credentials, row.createdAt);
  const { isEnabled, loginFailure, requests, failures, rateLimits, lastUsedAt, lastLoginAt } = row;
  Object.assign(account, {
    isEnabled,
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

function adoptCredentials(account: Account, { credentials }: AccountSeed, store: AccountStore): void {
  if (JSON.stringify(credentials) === JSON.stringify(account.credentials)) {
    return;
  }
  account.credentials = credentials;
  account.loginFailure = undefined;
  store.saveCredentials(account.id, credentials);
}
