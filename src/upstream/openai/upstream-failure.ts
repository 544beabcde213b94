import { redactBody, REDACTED } from '../../common/network/redact.js';
import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
  type UpstreamError,
} from '../upstream.errors.js';
import { readContextLimit } from './context-limit.js';
import { waitFromText } from './retry-after.js';

/** An upstream's failure to answer: an error status, or an error object within a stream. */
export interface Failure {
  readonly status?: number;
  /** Message, codes and types, for classification only. */
  readonly text: string;
  /** Wait named by the headers, in milliseconds. */
  readonly waitMs?: number;
}

const EXCERPT_CHARS = 200;

const TOO_LONG = anyOf([
  'context.{0,20}(?:length|window|size|limit)', // exceeds the maximum context length
  'maximum.{0,20}(?:prompt|input)', // maximum prompt length
  // Prompt is too long; but no complaint about the field of one message, e.g. `messages[0].name is too long`.
  '(?:prompt|input|request|messages?)(?!\\S{0,60}\\.(?:id|name|tool_call_id)\\b).{0,30}too (?:long|large)',
  'too many (?:input |prompt )?tokens', // too many tokens
  'reduce the length', // Please reduce the length of the messages.
]);
const RATE_LIMIT = anyOf([
  'rate.?limit', // rate_limit_exceeded
  'too.?many.?requests', // Too Many Requests
  'quota', // insufficient_quota
  'resource.?exhausted', // RESOURCE_EXHAUSTED
]);
/** Matches no part of a longer name, which would be a caller's tool rather than a complaint. */
const BAD_KEY = anyOf(
  [
    'invalid.?api.?key', // invalid_api_key
    'incorrect api key', // Incorrect API key provided
    'api.?key.{0,20}(?:invalid|not valid)', // API key not valid
    'authentication.?(?:error|fail|required)', // authentication_error
    'unauthori[sz]ed', // Unauthorized
  ],
  '(?<![\\w.:/-])',
);
/** Of a 403: the prompt or its model is at fault, not the account. */
const FORBIDDEN_PROMPT = anyOf(['flagged', 'moderation', 'access to (?:the )?model', 'model.?not.?found']);
/** Of a 429: no wait makes room for it. */
const ABOVE_ANY_LIMIT = anyOf(['request too large', 'tokens must be reduced']);
const BAD_REQUEST = /invalid.?request|bad.?request/i;

/** The typed error for a failure. Its message repeats nothing of the upstream's text, which can name keys, hosts and users. */
export function toUpstreamError(failure: Failure): UpstreamError {
  const { status, text } = failure;
  const ownWords = withoutQuotes(text);
  if (status === 429 && ABOVE_ANY_LIMIT.test(ownWords)) {
    return new RejectedError('too_long', 'The prompt is above any limit of the upstream.');
  }
  if (status === 429 || status === 402 || (status === undefined && RATE_LIMIT.test(ownWords))) {
    return new RateLimitedError(failure.waitMs ?? waitFromText(text));
  }
  if (status === 401 || ([undefined, 400, 403].includes(status) && BAD_KEY.test(ownWords))) {
    return new LoginRequiredError(
      'invalid_credentials',
      'The upstream does not accept the key of this account.',
    );
  }
  if (status === 403 && !FORBIDDEN_PROMPT.test(ownWords)) {
    // It may be about the prompt all the same, in other words: one alone takes no account out, and it comes back by itself.
    return new LoginRequiredError('login_wall', 'The upstream forbids this account the request.');
  }
  if (status === 413 || ((status ?? 400) < 500 && TOO_LONG.test(text))) {
    return new RejectedError(
      'too_long',
      'The conversation is too long for the upstream.',
      readContextLimit(text),
    );
  }
  if (isRefusal(status) || (status === undefined && BAD_REQUEST.test(text))) {
    return new RejectedError('invalid_request', 'The upstream refused the request.');
  }
  return status === undefined
    ? new UnavailableError('upstream_error', 'The upstream reported an error in its answer.')
    : new UnavailableError(`upstream_status_${status}`, `The upstream answered with status ${status}.`);
}

/** Removes quotations, which come from the request and must not count against the account that carried it. */
function withoutQuotes(text: string): string {
  return text.replace(/(?<!\w)(['"`])[^'"`]*\1(?!\w)/g, '');
}

/** Whether the status refuses the request for good: 4xx without timeout (408), conflict (409) and too early (425). */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![408, 409, 425].includes(status);
}

/** The message of an error body in one text, without parts that repeat the request, such as a validator's `input`. */
export function describeBody(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const inner = isObject(parsed) ? (parsed.error ?? parsed.detail ?? parsed) : parsed;
    return describeError(inner);
  } catch {
    return body;
  }
}

const TELLING = ['message', 'code', 'type', 'param', 'status', 'msg', 'loc'];

/** The message of an error object of any shape. */
function describeError(error: unknown): string {
  if (Array.isArray(error)) {
    return error.map(describeError).join('; ');
  }
  if (isObject(error)) {
    return TELLING.flatMap((key) => describeError(error[key]) || []).join('; ');
  }
  return typeof error === 'string' || typeof error === 'number' ? String(error) : '';
}

/** The failure that an error object within a stream stands for; its status, if any, is one of its fields. */
export function failureOf(error: unknown): Failure {
  const fields = isObject(error) ? [error.code, error.status, error.status_code, error.http_status] : [];
  const status = fields.map(Number).find((code) => code >= 400 && code <= 599);
  return { status, text: describeError(error) };
}

/** The typed error for an error object within an answer, with its message as the cause, for the operator. */
export function errorWithin(value: unknown, secrets: readonly string[]): UpstreamError {
  const error = toUpstreamError(failureOf(value));
  error.cause = excerptOf(JSON.stringify(value) ?? '', secrets);
  return error;
}

/** The first 200 characters of an error body's message, with secrets redacted; for the operator's log only. */
export function excerptOf(body: string, secrets: readonly string[]): Error {
  const text = describeBody(redactBody(body, secrets));
  return new Error(
    text.replace(/\b(?:sk|pk|key|bearer)[-_ ][\w.*-]{4,}/gi, REDACTED).slice(0, EXCERPT_CHARS),
  );
}

/** Text for the log of network traffic: with the system's error of the connection, without the upstream's words. */
export function networkError({ reason, message, cause }: UpstreamError): string {
  const detail = cause instanceof Error && 'code' in cause ? ` (${cause.message})` : '';
  return `${reason}: ${message}${detail}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Matches a text that holds one of the patterns, in any case, where the prefix allows its beginning. */
function anyOf(patterns: readonly string[], prefix = ''): RegExp {
  return new RegExp(`${prefix}(?:${patterns.join('|')})`, 'i');
}
