/**
 * Base of the errors between a driver and its upstream. They know nothing of callers or HTTP: the accounts module
 * decides what each means for the account, for a retry and for the caller.
 */
export abstract class UpstreamError extends Error {
  override name = 'UpstreamError';
  /** What failed, as the driver found it: a short snake_case word for logs and the dashboard, e.g. `browser_crashed`. */
  abstract readonly fault: string;
}

/** The upstream refuses this account for now. `retryAfterMs` is the upstream's own time, if it gave one. */
export class RateLimitedError extends UpstreamError {
  override name = 'RateLimitedError';
  readonly fault = 'rate_limited';

  constructor(
    readonly retryAfterMs?: number,
    message = 'The upstream limits this account.',
  ) {
    super(message);
  }
}

/** Evidence for the operator why an account must be logged in by hand. */
export interface LoginEvidence {
  readonly url: string;
  readonly title: string;
  /** PNG of the page; missing without a page, or if none could be taken in time. */
  readonly screenshot?: Uint8Array;
}

/** The account is not logged in and the driver could not log it in, or a challenge page stands in the way. */
export class LoginRequiredError extends UpstreamError {
  override name = 'LoginRequiredError';

  constructor(
    readonly fault: 'login_failed' | 'login_wall' | 'blocked' | 'invalid_credentials',
    message: string,
    readonly evidence?: LoginEvidence,
  ) {
    super(message);
  }
}

/**
 * The account was logged in anew while this prompt was under way on its earlier login, so that the failure says nothing
 * about the account or the upstream.
 */
export class LoginReplacedError extends UpstreamError {
  override name = 'LoginReplacedError';
  readonly fault = 'login_replaced';

  constructor(cause: unknown) {
    super('The account was logged in anew meanwhile.', { cause });
  }
}

/** Faults of an upstream, or of the browser in between; what each means for callers stands in the accounts module. */
export type UnavailableFault =
  | 'aborted'
  | 'account_handed_over'
  | 'answer_endless'
  | 'body_unreadable'
  | 'browser_closed'
  | 'browser_crashed'
  | 'browser_failed'
  | 'browser_hung'
  | 'browser_not_found'
  | 'browser_not_reachable'
  | 'browser_too_old'
  | 'connect_failed'
  | 'connection_lost'
  | 'empty_response'
  | 'first_byte_timeout'
  | 'garbled_answer'
  | 'launch_failed'
  | 'line_too_long'
  | 'malformed_body'
  | 'malformed_event'
  | 'no_progress'
  | 'open_failed'
  | 'open_timeout'
  | 'option_missing'
  | 'overloaded'
  | 'page_closed'
  | 'page_crashed'
  | 'page_failed'
  | 'page_timeout'
  | 'prompt_refused'
  | 'recipe_request_failed'
  | 'recording_ends'
  | 'session_closed'
  | 'shutdown'
  | 'site_silent'
  | 'stopped'
  | 'stream_idle'
  | 'stream_reset'
  | 'truncated'
  | 'unexpected_content_type'
  | 'unsupported_field'
  | 'unsupported_order'
  | 'upstream_error'
  | `upstream_status_${number}`
  | 'wrong_content_type';

/** The upstream, or the browser in between, failed. Another try may succeed. */
export class UnavailableError extends UpstreamError {
  override name = 'UnavailableError';

  constructor(
    readonly fault: UnavailableFault,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The gateway's own machine lacks descriptors, memory or ports: no word about account or upstream. */
export class LocalResourceError extends UpstreamError {
  override name = 'LocalResourceError';
  readonly fault = 'local_resources';

  constructor(cause: unknown) {
    super('The gateway lacks resources of its machine to reach the upstream.', { cause });
  }
}

/** Limits that an upstream names when it refuses a prompt as too long, in tokens. */
export interface ContextLimit {
  readonly maxTokens: number;
  readonly promptTokens?: number;
}

/** The upstream refuses this prompt whatever the account; trying again cannot help. */
export class RejectedError extends UpstreamError {
  override name = 'RejectedError';

  constructor(
    /** `text_only`: the prompt holds pictures or files, which the model does not read. */
    readonly fault: 'too_long' | 'text_only' | 'invalid_request' | 'unsupported',
    message: string,
    /** With `too_long`, if the upstream names its limit. */
    readonly contextLimit?: ContextLimit,
  ) {
    super(message);
  }
}
