import { type UpstreamDriver } from '../upstream/upstream-driver.js';
import { UnusableCredentialsError } from './accounts.errors.js';
import { type Credentials } from './registry/account.js';

/**
 * Refuses credentials that are of no use at this provider: one that is needed is missing, or empty where no person can stand
 * in for it at a login by hand, or cannot be sent.
 * @throws UnusableCredentialsError
 */
export function checkCredentials(
  credentials: Credentials,
  driver: Pick<UpstreamDriver, 'credentialFields' | 'credentialProblem' | 'takesVisitors'>,
): void {
  const required = driver.credentialFields.flatMap(({ name, isRequired }) => (isRequired ? name : []));
  for (const name of required) {
    if (!Object.hasOwn(credentials, name)) {
      const may = driver.takesVisitors ? '. It may be empty if a person logs the account in by hand' : '';
      throw new UnusableCredentialsError(required, { name, detail: `is missing${may}` });
    }
    if (credentials[name] === '' && !driver.takesVisitors) {
      throw new UnusableCredentialsError(required, { name, detail: 'is empty' });
    }
  }
  const problem = driver.credentialProblem(credentials);
  if (problem) {
    throw new UnusableCredentialsError(required, problem);
  }
}
