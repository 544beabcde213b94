import { type Account } from '../accounts/registry/account.js';

type Watched = Pick<Account, 'name' | 'isEnabled' | 'loginFailure' | 'isReportedHere' | 'tenure'>;

/**
 * Names of the accounts of which this gateway tells that they need a login. Of several gateways the holder of an account
 * begins to tell, and tells of the end as well, whoever has the account then. Who takes it over meanwhile tells again:
 * that the first holder has told is known to that one alone, which may be gone.
 * @param told of which this one has told already
 */
export function accountsOut(accounts: readonly Watched[], told: readonly string[]): string[] {
  return accounts
    .filter(({ isEnabled, loginFailure }) => isEnabled && loginFailure)
    .filter(({ name, isReportedHere }) => isReportedHere || told.includes(name))
    .map(({ name }) => name);
}

/** Whether a gateway without an account is merely one more than are needed: others have accounts, and may give one up. */
export function standsBy(accounts: readonly Watched[]): boolean {
  return accounts.some(({ isEnabled, loginFailure, tenure }) => isEnabled && !loginFailure && tenure.mayCome);
}
