import { withoutKeys } from '../../common/network/key-words.js';
import { redactBody } from '../../common/network/redact.js';
import { isObject } from './is-object.js';
import { type Failure } from './upstream-failure.js';

const EXCERPT_CHARS = 200;

/** The message of an error body in one text, without parts that repeat the request, such as a validator's `input`. */
export function describeBody(body: string): string {
  try {
    return describeError(JSON.parse(body));
  } catch {
    return body;
  }
}

/** Fields of errors, and of what they are wrapped in; codes come first, since they repeat nothing of the request. */
const TELLING = [
  ...['code', 'type', 'status', 'error', 'errors', 'message', 'metadata', 'raw', 'param', 'detail'],
  ...['msg', 'loc'],
];

/** The message of an error of any shape. `raw` is how OpenRouter hands on the body of a provider. */
function describeError(error: unknown): string {
  if (Array.isArray(error)) {
    return error.flatMap((item) => describeError(item) || []).join('; ');
  }
  if (isObject(error)) {
    const { raw } = error;
    const fields = typeof raw === 'string' ? { ...error, raw: describeBody(raw) } : error;
    return describeError(TELLING.map((key) => fields[key]));
  }
  return typeof error === 'string' || typeof error === 'number' ? String(error) : '';
}

/** The failure that an error object within an answer stands for; its status, if any, is one of its fields. */
export function failureOf(error: unknown): Failure {
  return { status: statusOf(error), text: describeError(error) };
}

function statusOf(error: unknown): number | undefined {
  if (!isObject(error)) {
    return undefined;
  }
  if (Array.isArray(error) || isObject(error.error)) {
    return statusOf(Array.isArray(error) ? error[0] : error.error);
  }
  const fields = [error.code, error.status, error.status_code, error.http_status];
  return fields.map(Number).find((code) => code >= 400 && code <= 599);
}

/** The first 200 characters of an error body's message, with secrets redacted; for the operator's log only. */
export function excerptOf(body: string, secrets: readonly string[]): Error {
  const text = describeBody(redactBody(body, secrets));
  return new Error(withoutKeys(text).slice(0, EXCERPT_CHARS));
}
