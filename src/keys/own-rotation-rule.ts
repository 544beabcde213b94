import { GatewayError, TooManyRequestsError } from '../common/errors/gateway.errors.js';
import { DAY_MS } from '../common/time/durations.js';
import { type KeySecret } from './access-key.js';

/** Secrets that a key may be given in 24 hours before its holder has to wait: each stays in the store and in memory. */
const MAX_A_DAY = 5;

/**
 * Refuses that the holder of a key rotates it.
 * @param secrets those that the key has had
 * @param digest of the secret that was shown: one that has been replaced must not outlive its overlap by a new one
 * @param now Unix milliseconds
 * @throws GatewayError `not_found`, `permission_denied`; TooManyRequestsError
 */
export function requireRotatable(secrets: readonly KeySecret[], digest: string, now: number): void {
  const shown = secrets.find((secret) => secret.digest === digest);
  if (!shown) {
    throw new GatewayError('not_found', 'Only a key that was made while the gateway runs can be rotated.');
  }
  if (shown.expiresAt !== null) {
    throw new GatewayError('permission_denied', 'The key has a newer secret: only that one can rotate it.');
  }
  const fifthLatest = secrets.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a)[MAX_A_DAY - 1];
  const waitMs = fifthLatest === undefined ? 0 : fifthLatest + DAY_MS - now;
  if (waitMs > 0) {
    const message = `The key was given ${MAX_A_DAY} secrets within a day. An operator can rotate it even so.`;
    throw new TooManyRequestsError(message, waitMs, { reason: 'key_limited' });
  }
}
