import { type IncomingMessage } from 'node:http';
import { callerKeyOf } from '../../common/http/access/caller-key.js';

/** Owner of the responses that a request makes or reads: the name of its key, which is never given twice. */
export function responseOwner(http: IncomingMessage): string {
  return callerKeyOf(http)?.name ?? '';
}
