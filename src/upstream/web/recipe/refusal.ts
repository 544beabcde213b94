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

type SignName = keyof Signs;

/** The signs in the order in which they count: pages of challenges and login walls often mention limits, too. */
export const SIGN_NAMES: readonly SignName[] = ['blocked', 'loginWall', 'rateLimit', 'tooLong', 'overloaded'];

/**
 * The error that a refusal stands for, by the recipe's signs, then by the status.
 * @param now wall-clock ms
 */
export function refusalError(refusal: Refusal, signs: Signs, now: number): UpstreamError {
  return shownError(refusal, signs, now) ?? statusError(refusal);
}

/** The error that a response stands for; undefined if it is a normal answer. */
export function findRefusal(refusal: Refusal, signs: Signs, now: number): UpstreamError | undefined {
  return refusal.status >= 400 ? refusalError(refusal, signs, now) : shownError(refusal, signs, now);
}

function shownError(refusal: Refusal, signs: Signs, now: number): UpstreamError | undefined {
  const json = parsedJson(refusal.body);
  const shown = SIGN_NAMES.find(
    (name) =>
      signs[name].response.some((sign) => fitsSign(sign, refusal, json)) ||
      (name === 'rateLimit' && refusal.status === 429),
  );
  return shown && signError(shown, shown === 'rateLimit' ? resetTime(refusal, json, signs, now) : undefined);
}

/**
 * The error that a sign stands for, found in a response or on a page.
 * @param resetMs time until the end of a limit; undefined if the site does not tell
 */
export function signError(name: SignName, resetMs: number | undefined): UpstreamError {
  switch (name) {
    case 'blocked':
      return new LoginRequiredError('blocked', 'The site shows a challenge.', { isOfConversation: true });
    case 'loginWall':
      return new LoginRequiredError('login_wall', 'The site asks for a login.', { isOfConversation: true });
    case 'rateLimit':
      return new RateLimitedError(resetMs);
    case 'tooLong':
      return new RejectedError('too_long', 'The site says that the prompt is too long.');
    case 'overloaded':
      return new UnavailableError('overloaded', 'The site is overloaded.');
  }
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
