import { type FailureReason } from '../common/errors/failure-reasons.js';
import { reasonOfFault, type UnavailableFault } from './unavailable-fault.js';

/**
 * Base of the errors between a driver and its upstream. The accounts module decides what each means for the account and
 * for a retry, and what the caller is told.
 */
export abstract class UpstreamError extends Error {
  override name = 'UpstreamError';
  /** What failed, as the driver found it: a short snake_case word for logs and the dashboard, e.g. `browser_crashed`. */
  abstract readonly fault: string;
  /** Its reason for callers, the log and the metrics, as `GatewayError.reason`. */
  abstract readonly reason: FailureReason;
}

/** The upstream refuses this account for now. `retryAfterMs` is the upstream's own time, if it gave one. */
export class RateLimitedError extends UpstreamError {
  override name = 'RateLimitedError';
  readonly fault = 'rate_limited';
  readonly reason = 'rate_limited';
  readonly isOfModel: boolean;

  constructor(
    readonly retryAfterMs?: number,
    options: {
      /** By default that the upstream limits this account. */
      readonly message?: string;
      /** Whether the limit may be that of the prompt's model, and others of the account be free; false by default. */
      readonly isOfModel?: boolean;
    } = {},
  ) {
    super(options.message ?? 'The upstream limits this account.');
    this.isOfModel = options.isOfModel ?? false;
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
  readonly reason = 'login_lost';
  readonly evidence: LoginEvidence | undefined;
  readonly isOfConversation: boolean;

  constructor(
    readonly fault: 'login_failed' | 'login_wall' | 'blocked' | 'invalid_credentials',
    message: string,
    options: {
      readonly evidence?: LoginEvidence | undefined;
      /** Whether it may be the conversation that is refused, and the login be good; false by default. */
      readonly isOfConversation?: boolean;
    } = {},
  ) {
    super(message);
    this.evidence = options.evidence;
    this.isOfConversation = options.isOfConversation ?? false;
  }
}

/**
 * The account was logged in anew while this prompt was under way on its earlier login, so that the failure says nothing
 * about the account or the upstream.
 */
export class LoginReplacedError extends UpstreamError {
  override name = 'LoginReplacedError';
  readonly fault = 'login_replaced';
  readonly reason = 'login_lost';

  constructor(cause: unknown) {
    super('The account was logged in anew meanwhile.', { cause });
  }
}

/** The upstream, or the browser in between, failed. A retry may succeed. */
export class UnavailableError extends UpstreamError {
  override name = 'UnavailableError';
  readonly reason: FailureReason;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly fault: UnavailableFault,
    message: string,
    options: {
      readonly cause?: unknown;
      /** Time until the upstream may be asked again, if it gave one. */
      readonly retryAfterMs?: number | undefined;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = reasonOfFault(fault);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The gateway's own machine lacks descriptors, memory or ports: no word about account or upstream. */
export class LocalResourceError extends UpstreamError {
  override name = 'LocalResourceError';
  readonly fault = 'local_resources';
  readonly reason = 'local_resources';

  constructor(cause: unknown) {
    super('The gateway lacks resources of its machine to reach the upstream.', { cause });
  }
}

/** Limits in tokens that an upstream states when it refuses a prompt as too long. */
export interface ContextLimit {
  readonly maxTokens: number;
  readonly promptTokens?: number;
  /** The words that name it stand in the request as well: the upstream may only repeat them, and they teach nothing. */
  readonly isRepeated?: true;
}

/**
 * The upstream refuses this prompt whatever the account, apart from a model that others may have; trying again cannot help.
 */
export class RejectedError extends UpstreamError {
  override name = 'RejectedError';
  readonly reason = 'upstream_refused';
  readonly contextLimit: ContextLimit | undefined;
  readonly field: string | undefined;

  constructor(
    /**
     * `text_only`: the prompt holds pictures or files, which the model does not read. `prompt_altered`: what would be
     * answered is another text. `model_refused`: this account may not use the model, or there is none of that name.
     */
    readonly fault:
      'too_long' | 'text_only' | 'prompt_altered' | 'model_refused' | 'invalid_request' | 'unsupported',
    message: string,
    options: {
      /** With `too_long`, if the upstream names its limit. */
      readonly contextLimit?: ContextLimit | undefined;
      /** With `invalid_request`: field of the chat format, as `max_tokens`, which the upstream's complaint names. */
      readonly field?: string | undefined;
    } = {},
  ) {
    super(message);
    this.contextLimit = options.contextLimit;
    this.field = options.field;
  }
}
