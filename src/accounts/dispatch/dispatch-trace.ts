import { type ConsideredAccount } from '../pool/account-selection.js';

/** One try at the upstream. */
export interface AttemptTrace {
  /** Name of the account; missing if no session could be had. */
  readonly account?: string;
  readonly sessionId?: string;
  /** Since the request began. */
  readonly startedMs: number;
  durationMs: number;
  /** `running`, `ok`, `cancelled`, or the short word of the failure, such as `rate_limited`. */
  outcome: string;
  /** What the failure says, in words for the operator. */
  detail?: string;
  /** Every account, and why it was or was not taken; missing if no session could be had. */
  readonly considered?: readonly ConsideredAccount[];
}

/** What one request meets on its way to the upstream, for the request log, over all of its dispatches. In milliseconds. */
export interface DispatchTrace {
  /** Time spent waiting for sessions, over all attempts. */
  queuedMs: number;
  /** Account (by name) and session of the last attempt. */
  account?: string;
  sessionId?: string;
  readonly attempts: AttemptTrace[];
  /** Of a request that ended without a session: every account, and what stood in its way. */
  considered?: readonly ConsideredAccount[];
  /** When the upstream took the prompt, since the request began. */
  acceptedMs?: number;
  /** When its answer began, since the request began. */
  firstAnswerMs?: number;
}

/** An empty trace, to be passed to `UpstreamDispatcher.dispatch`; it can be read at any time. */
export function createDispatchTrace(): DispatchTrace {
  return { queuedMs: 0, attempts: [] };
}
