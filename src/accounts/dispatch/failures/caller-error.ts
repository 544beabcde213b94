import { type Settings } from '../../../common/config/settings.js';
import { type FailureReason } from '../../../common/errors/failure-reasons.js';
import {
  type GatewayError,
  InternalError,
  InvalidRequestError,
  ShutdownError,
  type TooManyRequestsError,
} from '../../../common/errors/gateway.errors.js';
import {
  RateLimitedError,
  RejectedError,
  UnavailableError,
  UpstreamError,
} from '../../../upstream/upstream.errors.js';
import { MediaRefusedError, PromptTooLongError, UpstreamRefusedError } from '../../accounts.errors.js';

type Limits = Pick<Settings, 'UPSTREAM_FIRST_BYTE_MS' | 'UPSTREAM_IDLE_MS'>;

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Causes in words for callers. The failures' own messages stay in the log: they quote paths and selectors. */
const WHAT: Partial<Record<FailureReason, (limits: Limits, error: unknown) => string>> = {
  upstream_unreachable: () => 'the upstream cannot be reached.',
  upstream_timeout: (limits, error) =>
    error instanceof UnavailableError && error.fault === 'first_byte_timeout'
      ? `the upstream was silent for ${seconds(limits.UPSTREAM_FIRST_BYTE_MS)} and did not begin to answer.`
      : 'the upstream did not begin to answer in time.',
  upstream_idle: (limits) =>
    `the upstream was silent for ${seconds(limits.UPSTREAM_IDLE_MS)} within its answer.`,
  upstream_endless: () => 'the upstream did not come to the end of its answer in time.',
  upstream_cut: () => 'the upstream cut its answer off.',
  upstream_garbled: () => 'the upstream sent something that cannot be read.',
  upstream_overloaded: () => 'the upstream is overloaded.',
  login_lost: () => 'an account of the upstream lost its login.',
  browser_missing: () => 'the gateway has no browser to start; its operator must install one.',
  browser_failed: () => 'the browser of the gateway failed.',
  site_changed: () => 'the page of the upstream is not as its recipe describes it.',
  session_lost: () => 'the session of this request was closed. Please retry.',
  gateway_failed: () => 'the gateway failed to open a session.',
  local_resources: () => 'the gateway is short of resources at this moment. Please retry.',
};

/** Circumstances that the caller's error tells of. */
export interface CallerErrorContext {
  readonly limits: Limits;
  /** The refusal that says when to come back. */
  rateLimit(this: void, cause: unknown): TooManyRequestsError;
}

/** The caller's error for an upstream failure. The failure itself goes along as `cause`, for the log only. */
export function toCallerError(error: unknown, { limits, rateLimit }: CallerErrorContext): GatewayError {
  if (error instanceof RateLimitedError) {
    return rateLimit(error);
  }
  if (error instanceof RejectedError) {
    return rejection(error);
  }
  const reason = error instanceof UpstreamError ? error.reason : 'upstream_error';
  if (reason === 'shutting_down') {
    return new ShutdownError(error);
  }
  const what = WHAT[reason]?.(limits, error) ?? 'the upstream failed to answer.';
  const retryAfterMs = error instanceof UnavailableError ? error.retryAfterMs : undefined;
  return new InternalError(reason, what, { cause: error, retryAfterMs });
}

function rejection(error: RejectedError): GatewayError {
  switch (error.fault) {
    case 'too_long':
      return new PromptTooLongError(error);
    case 'text_only':
      return new MediaRefusedError(error);
    case 'model_refused':
      return new InvalidRequestError(error.message, 'model', { cause: error, reason: error.reason });
    case 'invalid_request':
    case 'prompt_altered':
    case 'unsupported':
      return new UpstreamRefusedError(error);
  }
}
