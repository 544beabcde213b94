import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

/** Response header that names a request in the logs; callers quote it when they ask for help. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** `id` is the property that pino-http and nestjs-pino look for. */
type IdentifiedRequest = Omit<IncomingMessage, 'id'> & { id?: string };

/** A new id, unique over all replicas. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** The id of a request, given on first use. An `x-request-id` sent by the caller is never taken over. */
export function requestId(request: IncomingMessage): string {
  const identified: IdentifiedRequest = request as Omit<IncomingMessage, 'id'>;
  return (identified.id ??= newRequestId());
}
