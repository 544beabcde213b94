import { type FailureReason } from '../common/errors/failure-reasons.js';

/** Faults of an upstream, or of the browser in between, and the reason that each comes to. */
const REASONS = {
  connect_failed: 'upstream_unreachable',
  proxy_failed: 'upstream_unreachable',
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
  // The statuses by which servers say that they are overloaded.
  upstream_status_503: 'upstream_overloaded',
  upstream_status_529: 'upstream_overloaded',
} as const satisfies Readonly<Record<string, FailureReason>>;

/** Fault of an `UnavailableError`. */
export type UnavailableFault = keyof typeof REASONS | `upstream_status_${number}`;

const REASON_OF_FAULT: ReadonlyMap<string, FailureReason> = new Map(Object.entries(REASONS));

/** `upstream_error` for other statuses, and for what recordings of other versions hold. */
export function reasonOfFault(fault: UnavailableFault): FailureReason {
  return REASON_OF_FAULT.get(fault) ?? 'upstream_error';
}
