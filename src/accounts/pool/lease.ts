import { type SendPermit } from '../../upstream/send-permit.js';
import { type UpstreamSession } from '../../upstream/upstream-driver.js';
import { type Account } from '../registry/account.js';
import { type ConsideredAccount } from './account-selection.js';

/** What a request needs of a session. */
export interface SessionNeed {
  /** The upstream's name of the model that it is for. */
  readonly model: string;
  /** Ids of the accounts that the request has tried before. */
  readonly tried: ReadonlySet<string>;
  /** Id of the account that alone will do; any of them if undefined. */
  readonly only?: string | undefined;
}

/** One request's exclusive hold on a session. */
export interface Lease extends SendPermit {
  readonly account: Account;
  /** The upstream's name of the model that it is for. */
  readonly model: string;
  /** Name of the session in logs. */
  readonly sessionId: string;
  readonly session: UpstreamSession;
  /** Outcome of the selection for each account. */
  readonly considered: readonly ConsideredAccount[];
  /** False once the account is another gateway's, or has another login than the one that this session belongs to. */
  isCurrent(): boolean;
  /** Tells the pool that the upstream took the prompt: a probe has succeeded, if a limit would have been told by then. */
  accepted(): void;
  /** Tells the pool that the upstream began to answer: the login works, and a probe has succeeded. */
  answered(): void;
  /** Gives the session back; later calls have no effect. */
  release(): void;
}
