import { type GarbageKind, type Script } from '../model/sandbox-script.js';

/** A whole response that stands in for a stream. */
export interface FixedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The error alone, for transports without a status. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Pages that a refusal may show. */
export interface RefusalPages {
  loginPage(): string;
  challengePage(): string;
}

const LOGGED_OUT = { code: 'unauthenticated', message: 'Please log in.' };
const LONG_LINE_BYTES = 8 * 2 ** 20;

/** The response that a script puts in place of the answer; undefined if the answer is streamed. */
export function refusalOf(script: Script, pages: RefusalPages): FixedResponse | undefined {
  if (script.blockedSeconds !== undefined) {
    return challengeResponse(pages);
  }
  if (script.loginWall) {
    return { ...htmlResponse(200, pages.loginPage()), error: LOGGED_OUT };
  }
  if (script.status) {
    return statusResponse(script.status.code, script.status.retryAfterSeconds);
  }
  if (script.tooLong) {
    return jsonError(413, 'too_long', 'Your message is too long. Please shorten it and try again.');
  }
  if (script.overloaded) {
    return jsonError(503, 'overloaded', 'The servers are busy. Please try again in a moment.');
  }
  if (script.limit?.form === 'page') {
    return limitResponse(script.limit.resetSeconds);
  }
  return script.garbage && garbageResponse(script.garbage);
}

/** An error in the form of the site's API. */
export function jsonError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): FixedResponse {
  const error = { code, message };
  return { ...json(status, { error }, headers), error };
}

/** The API's answer to a request without a valid login. */
export function unauthenticated(): FixedResponse {
  return jsonError(401, LOGGED_OUT.code, LOGGED_OUT.message);
}

/** The challenge page with its status. */
export function challengeResponse(pages: RefusalPages): FixedResponse {
  const error = { code: 'blocked', message: 'Verify you are human.' };
  return { ...htmlResponse(403, pages.challengePage()), error };
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): FixedResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function htmlResponse(status: number, body: string): FixedResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function statusResponse(status: number, retryAfterSeconds: number | undefined): FixedResponse {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return status === 429
    ? jsonError(status, 'rate_limited', 'You have sent too many messages.', headers)
    : jsonError(status, `status_${status}`, `The sandbox answers with status ${status}.`, headers);
}

/** Some sites report a limit with status 200; only the JSON tells. */
function limitResponse(resetSeconds: number | undefined): FixedResponse {
  const message = 'You have reached the message limit. Please try again later.';
  return json(
    200,
    resetSeconds === undefined
      ? { limited: true, message }
      : { limited: true, message, retry_after_seconds: resetSeconds },
  );
}

function garbageResponse(kind: GarbageKind): FixedResponse {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  switch (kind) {
    case 'events':
      return { status: 200, headers, body: 'data: {"type":"text","te\n\ndata: <<<>>>\n\n%%%\u0000\n\n' };
    case 'utf8':
      return {
        status: 200,
        headers,
        body: Buffer.concat([
          Buffer.from('data: {"type":"text","text":"'),
          Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xe2, 0x82]),
          Buffer.from('"}\n\n'),
        ]),
      };
    case 'gzip':
      return {
        status: 200,
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: Buffer.from('1f8b0800deadbeefdeadbeef', 'hex'),
      };
    case 'html':
      return htmlResponse(
        200,
        '<!doctype html><title>Maintenance</title><p>The sandbox pretends to be down.</p>',
      );
    case 'line':
      return { status: 200, headers, body: `data: ${'x'.repeat(LONG_LINE_BYTES)}\n\n` };
    case 'empty':
      return { status: 200, headers, body: '' };
  }
}
