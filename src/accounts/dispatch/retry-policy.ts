import { GatewayError } from '../../common/errors/gateway.errors.js';
import {
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
} from '../../upstream/upstream.errors.js';

/** What a failed attempt means. */
export interface Verdict {
  /** What becomes of the account it was made with. */
  readonly account: 'unchanged' | 'failed' | 'cooldown' | 'login_required';
  /** Whether the upstream as a whole is at fault; `unknown` says nothing either way. */
  readonly upstream: 'alive' | 'failed' | 'unknown';
  readonly retry: 'never' | 'at_once' | 'after_backoff';
}

/**
 * Judges a failure. A prompt that the upstream has accepted is not sent again, because it may be working on it,
 * unless the upstream itself refused after all.
 * @param wasOutdated the session belonged to a login that was replaced meanwhile: whatever the upstream says to a
 *   page of an old login says nothing about the account or about itself
 */
export function judgeFailure(error: unknown, wasAccepted: boolean, wasOutdated = false): Verdict {
  if (error instanceof RateLimitedError) {
    return { account: 'cooldown', upstream: 'alive', retry: 'at_once' };
  }
  if (error instanceof LoginRequiredError) {
    return { account: 'login_required', upstream: 'unknown', retry: 'at_once' };
  }
  if (error instanceof RejectedError) {
    return { account: 'unchanged', upstream: 'alive', retry: 'never' };
  }
  if (error instanceof GatewayError) {
    return { account: 'unchanged', upstream: 'unknown', retry: 'never' };
  }
  if ((wasOutdated || error instanceof LoginReplacedError) && !wasAccepted) {
    return { account: 'unchanged', upstream: 'unknown', retry: 'at_once' };
  }
  return { account: 'failed', upstream: 'failed', retry: wasAccepted ? 'never' : 'after_backoff' };
}

/**
 * Exponential back-off: the wait doubles with every retry up to the limit, and a random half of it is taken off so
 * that requests that failed together do not come back together.
 * @param retry 1 for the first
 * @param chance from 0 to 1
 */
export function backoffMs(retry: number, baseMs: number, maxMs: number, chance: number): number {
  return Math.min(maxMs, baseMs * 2 ** (retry - 1)) * (1 - chance / 2);
}
