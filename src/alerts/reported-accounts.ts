import { type Account } from '../accounts/registry/account.js';

type Watched = Pick<
  Account,
  'name' | 'isEnabled' | 'loginFailure' | 'isBeingHealed' | 'isReportedHere' | 'tenure'
>;

/**
 * Names of the accounts that this gateway reports as in need of a login. Of several gateways, the holder of an account reports
 * it, and its recovery as well, whoever holds the account by then. A gateway that takes the account over reports it again:
 * only the first holder knows that it has, and that one may be gone. A login that is merely tried is no recovery.
 * @param reported names that this gateway has reported already
 */
export function accountsOut(accounts: readonly Watched[], reported: readonly string[]): string[] {
  return accounts
    .filter(({ isEnabled }) => isEnabled)
    .filter(({ name, loginFailure, isBeingHealed, isReportedHere }) =>
      reported.includes(name) ? loginFailure || isBeingHealed : loginFailure && isReportedHere,
    )
    .map(({ name }) => name);
}

/** Whether a gateway without an account is merely one more than are needed: others have accounts, and may give one up. */
export function standsBy(accounts: readonly Watched[]): boolean {
  return accounts.some(({ isEnabled, loginFailure, tenure }) => isEnabled && !loginFailure && tenure.mayCome);
}
