import { isUtf8 } from 'node:buffer';

/** First bytes of each; a multiple of three, so that in base64 they are the first characters. */
const MARK = Buffer.from('gateway: ').toString('base64');

/**
 * A text as the content of a field that is opaque to callers, who send it back with the conversation. It is not
 * encrypted: the caller may know it, and only did not ask to be shown it.
 */
export function carryText(text: string): string {
  return MARK + Buffer.from(text).toString('base64');
}

/** The text that came back in such a field; empty if the field is of another server or broken. */
export function carriedText(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith(MARK)) {
    return '';
  }
  const base64 = value.slice(MARK.length);
  const bytes = Buffer.from(base64, 'base64');
  // What is no base64 is skipped without an error.
  return isUtf8(bytes) && bytes.toString('base64') === base64 ? bytes.toString() : '';
}
