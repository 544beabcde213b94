import { type IncomingMessage } from 'node:http';
import { randomHex } from '../../text/random-hex.js';

/** Response header with the id of the request in the logs, for callers to quote. */
export const REQUEST_ID_HEADER = 'x-request-id';

const PREFIX = 'req_';

/** pino-http and nestjs-pino read the id from this property. */
type IdentifiedRequest = Omit<IncomingMessage, 'id'> & { id?: string };

/** A new id, unique over all replicas. */
export function newRequestId(): string {
  return PREFIX + randomHex();
}

/** The id of a request, assigned on first use. An `x-request-id` of the caller is ignored. */
export function requestId(request: IncomingMessage): string {
  const identified: IdentifiedRequest = request as Omit<IncomingMessage, 'id'>;
  return (identified.id ??= newRequestId());
}

/**
 * An id for the answer to a request. It has the 32 digits of the request's, by which either leads to the request in the log:
 * a stream that fails tells its caller no other id than the answer's.
 * @param prefix of the format, e.g. `chatcmpl-`
 */
export function answerId(prefix: string, request: IncomingMessage): string {
  return prefix + requestId(request).slice(PREFIX.length);
}
