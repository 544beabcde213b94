import { LoginRequiredError } from './upstream.errors.js';

/** Why credentials are of no use, whatever the upstream says of them. */
export interface CredentialProblem {
  /** The credential at fault. */
  readonly name: string;
  /** What is the matter with it, in words that go on from its name, e.g. `is missing`. */
  readonly detail: string;
}

/** The error for an account that has such credentials. */
export function unusableCredentials({ name, detail }: CredentialProblem): LoginRequiredError {
  return new LoginRequiredError('invalid_credentials', `The credential '${name}' ${detail}.`);
}
