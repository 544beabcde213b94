import { parsedJson } from '../../../common/text/parsed-json.js';
import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
  type UpstreamError,
} from '../../upstream.errors.js';
import { compileConditions } from './condition.js';
import { compileJsonPath } from './json-path.js';
import { type ResponseSign, type Signs } from './recipe-signs.js';
import { resetAfterMs } from './reset-time.js';

/** A site's response in place of an answer. */
export interface Refusal {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The error that a refusal stands for, by the recipe's signs, then by the status. `blocked` and the login wall come
 * first, since their pages often mention limits, too.
 * @param now wall-clock ms
 */
export function refusalError(refusal: Refusal, signs: Signs, now: number): UpstreamError {
  return signError(refusal, signs, now) ?? statusError(refusal);
}

/** The error that a response stands for; undefined if it is a normal answer. */
export function findRefusal(refusal: Refusal, signs: Signs, now: number): UpstreamError | undefined {
  return refusal.status >= 400 ? refusalError(refusal, signs, now) : signError(refusal, signs, now);
}

function signError(refusal: Refusal, signs: Signs, now: number): UpstreamError | undefined {
  const json = parsedJson(refusal.body);
  const shows = (list: readonly ResponseSign[]): boolean =>
    list.some((sign) => fitsSign(sign, refusal, json));
  if (shows(signs.blocked.response)) {
    return new LoginRequiredError('blocked', 'The site shows a challenge.', { isOfConversation: true });
  }
  if (shows(signs.loginWall.response)) {
    return new LoginRequiredError('login_wall', 'The site asks for a login.', { isOfConversation: true });
  }
  if (shows(signs.rateLimit.response) || refusal.status === 429) {
    return new RateLimitedError(resetTime(refusal, json, signs, now));
  }
  if (shows(signs.tooLong.response)) {
    return new RejectedError('too_long', 'The site says that the prompt is too long.');
  }
  if (shows(signs.overloaded.response)) {
    return new UnavailableError('overloaded', 'The site is overloaded.');
  }
  return undefined;
}

function statusError({ status, headers }: Refusal): UpstreamError {
  if (status >= 200 && status < 300) {
    const type = headers['content-type'] ?? 'without a type';
    return new UnavailableError('unexpected_content_type', `The site answered with ${type}.`);
  }
  return new UnavailableError(`upstream_status_${status}`, `The site answered with status ${status}.`);
}

/**
 * Whether a refusal fits a sign of the recipe.
 * @param json the parsed body, or undefined
 */
export function fitsSign(
  { status, header, body, when }: ResponseSign,
  refusal: Refusal,
  json: unknown,
): boolean {
  if (status !== undefined && ![status].flat().includes(refusal.status)) {
    return false;
  }
  if (header) {
    const value = refusal.headers[header.name.toLowerCase()];
    if (value === undefined || !includes(value, header.contains ?? '')) {
      return false;
    }
  }
  return (body === undefined || includes(refusal.body, body)) && compileConditions(when)(json);
}

function resetTime(refusal: Refusal, json: unknown, signs: Signs, now: number): number | undefined {
  for (const { header, path, unit } of signs.rateLimit.reset) {
    const value = header ? refusal.headers[header.toLowerCase()] : path && compileJsonPath(path)(json);
    const wait = resetAfterMs(value, unit, now);
    if (wait !== undefined) {
      return wait;
    }
  }
  const retryAfter = refusal.headers['retry-after'];
  return resetAfterMs(retryAfter, /^\s*\d+\s*$/.test(retryAfter ?? '') ? 'seconds' : 'date', now);
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
