import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Up to this size the rest of a body is left to Node, which reads it and keeps the connection. */
const SMALL_BODY_BYTES = 64 * 2 ** 10;

/** Bounds of reading and throwing away the rest of a refused body. */
const MAX_DRAIN_BYTES = 64 * 2 ** 20;
const MAX_DRAIN_MS = 5000;

/**
 * Sends a whole answer to a request whose body may still be on its way. Closing at once would reset the
 * connection, and many clients would report that instead of the answer; so the answer goes out, the rest of the
 * body is thrown away within bounds, and then the connection closes. `Content-Length` must be set.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse, answer: Buffer): void {
  if (request.complete || isSmall(request)) {
    response.end(answer);
    return;
  }
  response.setHeader('Connection', 'close');
  // By themselves the headers of an answer to HEAD would wait for the end.
  response.flushHeaders();
  response.write(answer);

  let drained = 0;
  const finish = (): void => {
    clearTimeout(timer);
    request.off('data', onData).off('close', finish).off('end', finish);
    response.end();
  };
  const onData = (chunk: Buffer): void => {
    drained += chunk.length;
    if (drained > MAX_DRAIN_BYTES) {
      finish();
    }
  };
  const timer = setTimeout(finish, MAX_DRAIN_MS);
  request.on('data', onData).on('close', finish).on('end', finish).resume();
}

function isSmall({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES
  );
}
