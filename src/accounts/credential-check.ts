import { type UpstreamDriver } from '../upstream/upstream-driver.js';
import { CredentialsTakenError, MissingCredentialError } from './accounts.errors.js';
import { type Account, type Credentials } from './registry/account.js';

/**
 * Refuses credentials that are of no use at this provider: one that is needed is missing, or empty where no person can stand
 * in for it at a login by hand; or all that are needed are those of another account.
 * @throws MissingCredentialError; CredentialsTakenError
 */
export function checkCredentials(
  credentials: Credentials,
  driver: Pick<UpstreamDriver, 'credentialFields' | 'takesVisitors' | 'shares'>,
  others: readonly Pick<Account, 'name' | 'credentials'>[],
): void {
  const required = driver.credentialFields.flatMap(({ name, isRequired }) => (isRequired ? name : []));
  for (const name of required) {
    if (!Object.hasOwn(credentials, name)) {
      const may = driver.takesVisitors ? '. It may be empty if a person logs the account in by hand' : '';
      throw new MissingCredentialError(required, name, `is missing${may}`);
    }
    if (credentials[name] === '' && !driver.takesVisitors) {
      throw new MissingCredentialError(required, name, 'is empty');
    }
  }
  const [first] = required;
  // Where one gateway alone can use an account, a second one with the same login serves a second gateway.
  if (first !== undefined && driver.shares > 1) {
    const twin = others.find((other) =>
      required.every((name) => other.credentials[name] === credentials[name]),
    );
    if (twin) {
      throw new CredentialsTakenError(twin.name, first);
    }
  }
}
