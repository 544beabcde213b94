import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Size of a body up to which Node is left to read the rest, and so keeps the connection. */
const SMALL_BODY_BYTES = 64 * 2 ** 10;

/** Bounds of draining the rest of a refused body: bytes and milliseconds. */
const MAX_DRAIN_BYTES = 64 * 2 ** 20;
const MAX_DRAIN_MS = 5000;

/**
 * Ends a request with a whole answer although its body may still be arriving. Closing at once would reset the
 * connection, and many clients would report that instead of the answer; so the answer is sent, the rest of the body is
 * drained within bounds, and then the connection closes. `Content-Length` must be set.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse, answer: Buffer): void {
  if (request.complete || isSmall(request)) {
    response.end(answer);
    return;
  }
  response.setHeader('Connection', 'close');
  // For HEAD the write below sends nothing, and the headers would wait for the end.
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
