import { redactBody, REDACTED } from '../../common/network/redact.js';
import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
  type UpstreamError,
} from '../upstream.errors.js';
import { waitFromText } from './retry-after.js';

/** What an upstream said when it did not answer: with a status, or with an error object inside a stream. */
export interface Failure {
  readonly status?: number;
  /** Message, codes and types, for classification only. */
  readonly text: string;
  /** Wait named by the headers, in milliseconds. */
  readonly waitMs?: number;
}

const EXCERPT_CHARS = 200;

const TOO_LONG =
  /context.{0,20}(?:length|window|size|limit)|maximum.{0,20}(?:prompt|input)|(?:prompt|input|request|messages?)(?!\S{0,60}\.(?:id|name|tool_call_id)\b).{0,30}too (?:long|large)|too many (?:input |prompt )?tokens|reduce the length/i;
const RATE_LIMIT = /rate.?limit|too.?many.?requests|quota|resource.?exhausted/i;
/** Not within a longer name, which would be a caller's tool rather than a complaint. */
const BAD_KEY =
  /(?<![\w.:/-])(?:invalid.?api.?key|incorrect api key|api.?key.{0,20}(?:invalid|not valid)|authentication.?(?:error|fail|required)|unauthori[sz]ed)/i;
const BAD_REQUEST = /invalid.?request|bad.?request/i;

/**
 * The typed error for a failure. Messages are our own: an upstream's text can name its keys, hosts and users.
 */
export function toUpstreamError(failure: Failure): UpstreamError {
  const { status, text } = failure;
  const ownWords = withoutQuotes(text);
  if (status === 429 || status === 402 || (status === undefined && RATE_LIMIT.test(ownWords))) {
    return new RateLimitedError(failure.waitMs ?? waitFromText(text));
  }
  if (status === 401 || status === 403 || ((status ?? 400) === 400 && BAD_KEY.test(ownWords))) {
    return new LoginRequiredError(
      'invalid_credentials',
      'The upstream does not accept the key of this account.',
    );
  }
  if (status === 413 || ((status ?? 400) < 500 && TOO_LONG.test(text))) {
    return new RejectedError('too_long', 'The conversation is too long for the upstream.');
  }
  if (isRefusal(status) || (status === undefined && BAD_REQUEST.test(text))) {
    return new RejectedError('invalid_request', 'The upstream refused the request.');
  }
  return status === undefined
    ? new UnavailableError('upstream_error', 'The upstream reported an error in its answer.')
    : new UnavailableError(`upstream_status_${status}`, `The upstream answered with status ${status}.`);
}

/** What an upstream quotes comes from the request, and must not count against the account that happened to carry it. */
function withoutQuotes(text: string): string {
  return text.replace(/(?<!\w)(['"`])[^'"`]*\1(?!\w)/g, '');
}

/** Client errors, but not those that speak of the moment: timeout, conflict, too early. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![408, 409, 425].includes(status);
}

/** Says in one text what an error body says; without parts that repeat the request, such as a validator's `input`. */
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

/** The same for an error object, whichever shape it has. */
function describeError(error: unknown): string {
  if (Array.isArray(error)) {
    return error.map(describeError).join('; ');
  }
  if (isObject(error)) {
    return TELLING.flatMap((key) => describeError(error[key]) || []).join('; ');
  }
  return typeof error === 'string' || typeof error === 'number' ? String(error) : '';
}

/** An error object inside a stream carries its status, if at all, as one of its fields. */
export function failureOf(error: unknown): Failure {
  const fields = isObject(error) ? [error.code, error.status, error.status_code, error.http_status] : [];
  const status = fields.map(Number).find((code) => code >= 400 && code <= 599);
  return { status, text: describeError(error) };
}

/** The beginning of what the body of an error says, for the operator's log only, with secrets blacked out. */
export function excerptOf(body: string, secrets: readonly string[]): Error {
  const text = describeBody(redactBody(body, secrets));
  return new Error(
    text.replace(/\b(?:sk|pk|key|bearer)[-_ ][\w.*-]{4,}/gi, REDACTED).slice(0, EXCERPT_CHARS),
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
