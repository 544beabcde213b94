import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';

/** Reasons that are finer than an error code. Every other failure has its code for a reason. */
const FINER_REASONS = [
  /** No connection to the upstream. */
  'upstream_unreachable',
  /** No answer within UPSTREAM_FIRST_BYTE_MS, or no page or session within its own limit. */
  'upstream_timeout',
  /** Silent for UPSTREAM_IDLE_MS within an answer. */
  'upstream_idle',
  /** No piece of an answer within UPSTREAM_PROGRESS_MS, or an answer without an end. */
  'upstream_endless',
  /** The connection, or the answer, ended early. */
  'upstream_cut',
  /** An answer that cannot be read. */
  'upstream_garbled',
  'upstream_overloaded',
  /** An error status, or an error within an answer. */
  'upstream_error',
  /** The upstream refuses this request, whoever sends it. */
  'upstream_refused',
  /** The circuit breaker is open. */
  'upstream_down',
  /** Every account that could serve cools down. */
  'rate_limited',
  /** The caller's key has used up one of its limits. */
  'key_limited',
  /** The account lost its login while it served the request. */
  'login_lost',
  /** The session was closed, or its account became another gateway's, before the request was answered. */
  'session_lost',
  /** Every account is disabled or needs a login. */
  'no_account',
  /** No session became free. */
  'pool_exhausted',
  /** There is no browser that could be started. */
  'browser_missing',
  'browser_failed',
  /** The site's pages are not as the recipe describes them. */
  'site_changed',
  /** The answer repeated a tool result. */
  'answer_echoed',
  /** The answer's tool calls, or the JSON that was asked for, could not be read, or were missing. */
  'answer_unusable',
  /** The gateway's machine lacks descriptors, memory, ports or room on its disk, or a file of its store is held. */
  'local_resources',
  /** The database of several gateways cannot be reached or used, and what was asked for needs it, or no account is left. */
  'database_away',
  /** Too many large requests, or readers of the log, at once. */
  'gateway_busy',
  'shutting_down',
  /** A fault of the gateway's own. */
  'gateway_failed',
] as const;

type FinerReason = (typeof FINER_REASONS)[number];
type CoarseCode = 'internal_error' | 'rate_limit';

/**
 * What failed, in one word: the same in the header `x-gateway-reason`, in the log, in its filter and in the metrics.
 * The list is closed: programs and alert rules are written against it.
 */
export type FailureReason = FinerReason | Exclude<ErrorCode, CoarseCode>;

/** Every reason, for the filter of the log. */
export const FAILURE_REASONS: readonly FailureReason[] = [
  ...FINER_REASONS,
  ...(Object.keys(ERROR_CATALOG) as ErrorCode[]).filter((code) => !isCoarse(code)),
];

export const REASON_HEADER = 'x-gateway-reason';

/** The reason of an error that names none. */
export function reasonOf(code: ErrorCode): FailureReason {
  if (!isCoarse(code)) {
    return code;
  }
  return code === 'rate_limit' ? 'rate_limited' : 'gateway_failed';
}

function isCoarse(code: ErrorCode): code is CoarseCode {
  return code === 'internal_error' || code === 'rate_limit';
}
