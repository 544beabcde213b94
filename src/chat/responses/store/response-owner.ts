import { type IncomingMessage } from 'node:http';
import { callerKeyOf } from '../../../common/http/access/caller-key.js';

/** Who owns the responses that a request makes or reads: the name of its key, which nobody else is ever given. */
export function responseOwner(http: IncomingMessage): string {
  return callerKeyOf(http)?.name ?? '';
}
