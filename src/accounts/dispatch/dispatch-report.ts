import { type ConsideredAccount } from '../pool/account-selection.js';

/** One attempt at the upstream. */
export interface AttemptReport {
  /** Name of the account; missing if no session could be opened. */
  readonly account?: string;
  readonly sessionId?: string;
  /** Milliseconds from the beginning of the request. */
  readonly startedMs: number;
  durationMs: number;
  /** `running`, `ok`, `cancelled`, or the fault of the upstream, e.g. `stream_idle`. */
  outcome: string;
  /** Message of the failure with its causes, for the operator. */
  detail?: string;
  /** Milliseconds for which the account, or one of its models, cools down in consequence; missing if it does not. */
  cooldownMs?: number;
  /** Outcome of the selection for each account; missing if no session could be opened. */
  readonly considered?: readonly ConsideredAccount[];
}

/** Course of one request at the upstream, over all of its dispatches, for the request log. All times in milliseconds. */
export interface DispatchReport {
  /** Time at which the request was ready to wait for its first session, from the beginning of the request. */
  preparedMs?: number;
  /** Time spent waiting for sessions, over all attempts. */
  queuedMs: number;
  /** Name of the account of the last attempt. */
  account?: string;
  /** Session of the last attempt. */
  sessionId?: string;
  readonly attempts: AttemptReport[];
  /** Obstacle of each account; only for a request that the pool refused. */
  considered?: readonly ConsideredAccount[];
  /** Time at which the upstream took the prompt, from the beginning of the request. */
  acceptedMs?: number;
  /** Time at which the answer began, from the beginning of the request. */
  firstAnswerMs?: number;
}

/** An empty report for `UpstreamDispatcher.dispatch`; may be read at any time. */
export function createDispatchReport(): DispatchReport {
  return { queuedMs: 0, attempts: [] };
}
