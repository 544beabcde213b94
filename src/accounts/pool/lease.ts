import { type UpstreamSession } from '../../upstream/upstream-driver.js';
import { type Account } from '../registry/account.js';
import { type ConsideredAccount } from './account-selection.js';

/** One request's exclusive hold on a session. */
export interface Lease {
  readonly account: Account;
  readonly sessionId: string;
  readonly session: UpstreamSession;
  /** Every account in the choice, and why it was or was not taken. */
  readonly considered: readonly ConsideredAccount[];
  /** False once the account has another login than the one that this session belongs to. */
  isCurrent(): boolean;
  /** Tells the pool that the upstream began to answer. */
  answered(): void;
  /** Gives the session back; only the first call counts. */
  release(): void;
}
