import { duration } from './format.js';

/**
 * Reasons of failed requests in words, with what the operator can do; the words themselves are those of
 * `x-gateway-reason`, and stand for a reason that is missing here.
 *
 * @type {Readonly<Record<string, readonly [text: string, hint?: string]>>}
 */
const REASONS = {
  upstream_unreachable: [
    'The upstream could not be reached',
    'Is it running? See UPSTREAM_BASE_URL, or the site of the recipe.',
  ],
  upstream_timeout: [
    'The upstream did not begin to answer in time',
    'Slow upstream? UPSTREAM_FIRST_BYTE_MS is the limit.',
  ],
  upstream_idle: [
    'The upstream fell silent within its answer',
    'Slow upstream? UPSTREAM_IDLE_MS is the limit.',
  ],
  upstream_endless: [
    'The answer had no end, or went on without text',
    'UPSTREAM_PROGRESS_MS and UPSTREAM_FILLER_BYTES are the limits without text; in all it is an hour.',
  ],
  upstream_cut: [
    'The upstream cut its answer short',
    'Was it restarted, or does a proxy on the way end long answers?',
  ],
  upstream_garbled: ['The upstream sent something that cannot be read', 'Its exchange shows the response.'],
  upstream_overloaded: ['The upstream is overloaded', 'Try again later, or send fewer requests at once.'],
  upstream_error: ['The upstream answered with an error', 'Its exchange shows the response.'],
  upstream_refused: [
    'The upstream refuses this request',
    'The message has the known details; the cause in the log quotes the upstream.',
  ],
  upstream_down: ['The upstream keeps failing', 'Requests are held off for a while, then one is tried.'],
  rate_limited: ['Every account that could serve cools down', 'More accounts, or fewer requests, help.'],
  key_limited: [
    'A limit of the caller’s key is used up',
    'Raise the limits of the key on the page Keys, or wait for its next window.',
  ],
  login_lost: ['The account lost its login', 'Log it in again on the page Accounts.'],
  session_lost: [
    'The session was closed before the answer',
    'Its account was logged in anew, taken out of use or given to another gateway: try again.',
  ],
  no_account: ['Every account is disabled or needs a login', 'Log one in on the page Accounts.'],
  pool_exhausted: [
    'No session became free in time',
    'Add an account, or raise POOL_MAX_SESSIONS_PER_ACCOUNT.',
  ],
  browser_missing: [
    'There is no browser',
    'Set BROWSER_EXECUTABLE_PATH, or run npm start again, which installs one.',
  ],
  browser_failed: ['The browser failed', 'It is started again by itself.'],
  site_changed: ['The site is not as its recipe describes it', 'npm run recipe:check shows where.'],
  answer_echoed: ['The answer repeated a tool result', 'ECHO_ACTION decides what happens then.'],
  answer_unusable: [
    'The tool calls or the JSON of the answer could not be used',
    'The model was asked once more before; the entry says what was wrong.',
  ],
  local_resources: [
    'The machine of the gateway lacks resources',
    'Descriptors, memory, ports or room on the disk: the process log says which.',
  ],
  database_away: ['The database of the gateways cannot be reached', 'See DATABASE_URL.'],
  gateway_busy: [
    'Too many large requests, or readers of the log, at once',
    'Send fewer at once, or give the gateway more memory.',
  ],
  shutting_down: ['The gateway was shutting down', 'Try again.'],
  gateway_failed: ['A fault of the gateway itself', 'The process log has the details.'],
  invalid_request: ['The request is not valid'],
  previous_response_not_found: ['The earlier response that the request builds on is no longer kept'],
  context_window_exceeded: ['The prompt is longer than the model takes'],
  invalid_api_key: ['The key is missing or wrong'],
  permission_denied: ['The key may not do this', 'The page Keys shows its role and its models.'],
  host_not_allowed: ['The request names a host that is not allowed', 'See ALLOWED_HOSTS.'],
  origin_not_allowed: ['The request comes from a page that is not allowed', 'See ALLOWED_ORIGINS.'],
  not_found: ['There is nothing at this path'],
  model_not_found: ['There is no such model', 'GET /v1/models lists the available ones.'],
  method_not_allowed: ['The path does not take this method'],
  request_timeout: [
    'The request did not arrive in time',
    'All of it has 60 s; behind a proxy that collects bodies, as nginx does, it may take longer.',
  ],
  configuration_invalid: ['The configuration is not valid'],
  version_conflict: ['Somebody else saved in the meantime'],
  payload_too_large: ['The request is too large', 'BODY_LIMIT is the limit.'],
  unsupported_media_type: ['The request is not JSON'],
  expectation_failed: ['The request has an expectation that is not supported'],
  upgrade_required: ['The request asks for another protocol'],
  precondition_required: ['The request does not say which version it changes'],
  headers_too_large: ['The headers of the request are too large'],
};

/** What a caller can do, by reason. */
const CALLERS_HINTS = {
  upstream_overloaded: 'Try again later, or send fewer requests at once.',
  upstream_down: 'Try again in a while.',
  rate_limited: 'Try again later, or send fewer requests at once.',
  key_limited: 'The page “Your key” shows when it renews.',
  session_lost: 'Try again.',
  pool_exhausted: 'Try again later, or send fewer requests at once.',
  gateway_busy: 'Send fewer at once.',
  shutting_down: 'Try again.',
  permission_denied: 'The page “Your key” shows its models.',
  model_not_found: 'GET /v1/models lists the available ones.',
};
const ASK_OPERATOR = 'The operator of the gateway finds more by the id of this request.';

/** Reasons offered by the filter, with their words. */
export const REASON_CHOICES = Object.entries(REASONS).map(([reason, [text]]) => [text, reason]);

/** A reason in words. */
export function reasonText(reason) {
  return REASONS[reason]?.[0] ?? String(reason).replaceAll('_', ' ');
}

/** Hint for the operator, or for the caller; undefined where nothing helps. */
export function reasonHint(reason, isForCaller = false) {
  const hint = REASONS[reason]?.[1];
  return isForCaller ? (CALLERS_HINTS[reason] ?? (hint && ASK_OPERATOR)) : hint;
}

/** What lay behind a failure; undefined if that says no more than its reason. */
export function causeText({ reason, cause }) {
  const text = cause?.replaceAll('_', ' ');
  return text?.replace(/\.$/, '') === reasonText(reason) ? undefined : text;
}

/** When the caller of a cancelled request left, in a sentence. */
export function cancelledText({ totalMs, firstAnswerMs, firstTokenMs }) {
  return `The caller closed the connection after ${duration(totalMs)}, ${stageOf(firstAnswerMs, firstTokenMs)}.`;
}

function stageOf(firstAnswerMs, firstTokenMs) {
  if (firstTokenMs !== undefined) {
    return 'within the answer';
  }
  return firstAnswerMs === undefined
    ? 'before the upstream began to answer'
    : 'before any of the answer reached it';
}
