import { type Account, type Credentials } from './registry/account.js';

/**
 * Credentials for what needs no lease, such as the upstream's list of models: of the accounts that are in use here, then of
 * those that another gateway uses, and last of those that have lost their login. Accounts that are switched off lend none.
 */
export function spareCredentials(accounts: readonly Account[]): Credentials[] {
  const enabled = accounts.filter(({ isEnabled }) => isEnabled);
  const lost = enabled.filter(({ needsLogin }) => needsLogin);
  const usable = enabled.filter(({ isUsable }) => isUsable);
  const elsewhere = enabled.filter((account) => !account.needsLogin && !account.isUsable);
  return [...usable, ...elsewhere, ...lost].map(({ credentials }) => credentials);
}
