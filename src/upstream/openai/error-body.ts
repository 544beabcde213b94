import { withoutKeys } from '../../common/network/key-words.js';
import { redactBody } from '../../common/network/redact.js';
import { isStructure } from '../../common/text/json-object.js';
import { type Failure } from './upstream-failure.js';

const EXCERPT_CHARS = 200;
/**
 * Most characters of an error that are read. One within an answer may have millions, and some of the patterns that search its
 * words take the square of their length.
 */
export const MAX_ERROR_CHARS = 2048;

/** What an error says, in the forms in which it is judged. */
type ErrorWords = Pick<Failure, 'text' | 'codes' | 'message'>;

/** The words of an error body, without parts that repeat the request, such as a validator's `input`. */
export function readErrorBody(body: string): ErrorWords {
  return readError(parsed(body));
}

/** The words of an error body in one text. */
export function describeBody(body: string): string {
  return readErrorBody(body).text;
}

/** The failure that an error object within an answer stands for; its status, if any, is one of its fields. */
export function failureOf(error: unknown): Failure {
  return { status: statusOf(error), ...readError(error) };
}

const CODE_FIELDS = ['code', 'type', 'status'];
/** Other fields that tell something, of errors and of what they are wrapped in. */
const WORD_FIELDS = [
  ...['error', 'errors', 'message', 'metadata', 'raw', 'param', 'detail'],
  ...['msg', 'loc'],
];

function readError(error: unknown): ErrorWords {
  const codes: string[] = [];
  const words: string[] = [];
  let room = MAX_ERROR_CHARS;
  const collect = (value: unknown, into: string[]): void => {
    if (Array.isArray(value)) {
      for (const item of value) {
        collect(item, into);
      }
    } else if (isStructure(value)) {
      for (const field of CODE_FIELDS) {
        collect(value[field], codes);
      }
      for (const field of WORD_FIELDS) {
        // `raw` is how OpenRouter hands on the body of a provider.
        collect(field === 'raw' ? parsed(value.raw) : value[field], words);
      }
    } else if (room > 0 && ((typeof value === 'string' && value !== '') || typeof value === 'number')) {
      const text = String(value).slice(0, room);
      room -= text.length;
      into.push(text);
    }
  };
  collect(error, words);
  return { text: [...codes, ...words].join('; '), codes, message: words.join('; ') };
}

/** The value of a text that is JSON; any other value as it is. */
function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

function statusOf(error: unknown): number | undefined {
  if (!isStructure(error)) {
    return undefined;
  }
  if (Array.isArray(error) || isStructure(error.error)) {
    return statusOf(Array.isArray(error) ? error[0] : error.error);
  }
  const fields = [error.code, error.status, error.status_code, error.http_status];
  return fields.map(Number).find((code) => code >= 400 && code <= 599);
}

/** The first 200 characters of an error body's message, with secrets redacted; for the operator's log only. */
export function excerptOf(body: string, secrets: readonly string[]): Error {
  const text = describeBody(redactBody(body.slice(0, MAX_ERROR_CHARS), secrets));
  return new Error(withoutKeys(text).slice(0, EXCERPT_CHARS));
}
