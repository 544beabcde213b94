import { type CredentialProblem } from '../credential-problem.js';

/** Why a key is of no use; undefined if it may be of some. The keyless account has an empty one. */
export function keyProblem(key: string | undefined): CredentialProblem | undefined {
  if (key === undefined) {
    return { name: 'key', detail: 'is missing' };
  }
  return fitsHeader(key)
    ? undefined
    : { name: 'key', detail: 'holds a space, a line break or another character that no API key has' };
}

/** Whether a header can carry the key. */
export function fitsHeader(key: string): boolean {
  return /^[\x21-\x7e]*$/.test(key);
}
