import { type FailureReason } from '../../../common/errors/failure-reasons.js';
import {
  LocalResourceError,
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  type UnavailableWord,
  type UpstreamError,
} from '../../../upstream/upstream.errors.js';

/** What the words of `UnavailableError` come to; the words themselves stay in the log's attempts. */
const REASONS: Readonly<Record<UnavailableWord, FailureReason>> = {
  connect_failed: 'upstream_unreachable',
  first_byte_timeout: 'upstream_timeout',
  // A browser that hangs is found out sooner, by its pings.
  open_timeout: 'upstream_timeout',
  site_silent: 'upstream_timeout',
  stream_idle: 'upstream_idle',
  answer_endless: 'upstream_endless',
  no_progress: 'upstream_endless',
  connection_lost: 'upstream_cut',
  empty_response: 'upstream_cut',
  recording_ends: 'upstream_cut',
  stream_reset: 'upstream_cut',
  truncated: 'upstream_cut',
  garbled_answer: 'upstream_garbled',
  line_too_long: 'upstream_garbled',
  malformed_body: 'upstream_garbled',
  malformed_event: 'upstream_garbled',
  unexpected_content_type: 'upstream_garbled',
  wrong_content_type: 'upstream_garbled',
  overloaded: 'upstream_overloaded',
  unsupported_field: 'upstream_error',
  unsupported_order: 'upstream_error',
  upstream_error: 'upstream_error',
  aborted: 'session_lost',
  account_handed_over: 'session_lost',
  session_closed: 'session_lost',
  stopped: 'session_lost',
  browser_not_found: 'browser_missing',
  browser_not_reachable: 'browser_missing',
  browser_too_old: 'browser_missing',
  browser_closed: 'browser_failed',
  browser_crashed: 'browser_failed',
  browser_failed: 'browser_failed',
  browser_hung: 'browser_failed',
  launch_failed: 'browser_failed',
  page_closed: 'browser_failed',
  page_crashed: 'browser_failed',
  body_unreadable: 'site_changed',
  option_missing: 'site_changed',
  page_failed: 'site_changed',
  page_timeout: 'site_changed',
  prompt_refused: 'site_changed',
  recipe_request_failed: 'site_changed',
  open_failed: 'gateway_failed',
  shutdown: 'shutting_down',
};

/** Statuses by which servers say that they are overloaded. */
const OVERLOADS = ['upstream_status_503', 'upstream_status_529'];

const REASON_OF_WORD: ReadonlyMap<string, FailureReason> = new Map([
  ...Object.entries(REASONS),
  ...OVERLOADS.map((word): [string, FailureReason] => [word, 'upstream_overloaded']),
]);

/** The reason for which a driver failed; `upstream_error` for statuses, and for words in recordings of other versions. */
export function failureReasonOf(error: UpstreamError): FailureReason {
  if (error instanceof RateLimitedError) {
    return 'rate_limited';
  }
  if (error instanceof LoginRequiredError || error instanceof LoginReplacedError) {
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
