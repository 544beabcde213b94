import { type FailureReason } from '../../../common/errors/failure-reasons.js';
import {
  LocalResourceError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  type UpstreamError,
} from '../../../upstream/upstream.errors.js';

/** Words of `UnavailableError`, by the reason that they come to; the words themselves stay in the log's attempts. */
const WORDS: Partial<Record<FailureReason, readonly string[]>> = {
  upstream_unreachable: ['connect_failed'],
  upstream_timeout: ['first_byte_timeout'],
  upstream_idle: ['stream_idle'],
  upstream_endless: ['answer_endless', 'no_progress'],
  upstream_cut: ['stream_reset', 'truncated', 'connection_lost', 'empty_response'],
  upstream_garbled: [
    'garbled_answer',
    'line_too_long',
    'malformed_body',
    'malformed_event',
    'unexpected_content_type',
    'wrong_content_type',
  ],
  upstream_overloaded: ['overloaded', 'upstream_status_503', 'upstream_status_529'],
  login_lost: ['login_replaced'],
  browser_missing: ['browser_not_found', 'browser_not_reachable', 'browser_too_old'],
  browser_failed: [
    'browser_closed',
    'browser_crashed',
    'browser_failed',
    'browser_hung',
    'launch_failed',
    'open_timeout',
    'page_closed',
    'page_crashed',
  ],
  site_changed: [
    'body_unreadable',
    'option_missing',
    'page_failed',
    'page_timeout',
    'prompt_missing',
    'prompt_refused',
    'recipe_request_failed',
  ],
  shutting_down: ['shutdown'],
};

const REASON_OF_WORD: ReadonlyMap<string, FailureReason> = new Map(
  Object.entries(WORDS).flatMap(([reason, words]) => words.map((word) => [word, reason as FailureReason])),
);

/** The reason for which a driver failed; `upstream_error` for words that stand in no list. */
export function failureReasonOf(error: UpstreamError): FailureReason {
  if (error instanceof RateLimitedError) {
    return 'rate_limited';
  }
  if (error instanceof LoginRequiredError) {
    return 'login_lost';
  }
  if (error instanceof LocalResourceError) {
    return 'local_resources';
  }
  if (error instanceof RejectedError) {
    return 'upstream_refused';
  }
  return REASON_OF_WORD.get(error.reason) ?? 'upstream_error';
}
