import { type IncomingMessage } from 'node:http';
import { AttachedValue } from '../../memory/attached-value.js';

/** Most characters that are kept of a body that cannot be parsed. */
const MAX_CHARS = 2 ** 17;

const unread = new AttachedValue<IncomingMessage, string>('unread body');

/** Keeps the beginning of a body that cannot be parsed, for the log, as long as its request is under way. */
export function keepUnread(request: IncomingMessage, text: string): void {
  // A copy: a part of a text keeps the whole one in memory.
  unread.set(request, Buffer.from(text.slice(0, MAX_CHARS)).toString());
}

/** The beginning of a request's body, if that could not be parsed. */
export function unreadBodyOf(request: IncomingMessage): string | undefined {
  return unread.get(request);
}
