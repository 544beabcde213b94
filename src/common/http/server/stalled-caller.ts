import { type ServerResponse } from 'node:http';

/**
 * Cuts off a caller that stopped reading, and whose socket would hold memory for ever: one that has taken nothing for
 * `afterMs` at most although bytes wait for it. The socket's idle timer sees progress inside one large write. It
 * compares the queue at the end of each period with the one before, so it may need two periods to notice a stall.
 */
export function cutStalledCaller(response: ServerResponse, afterMs: number): void {
  response.setTimeout(afterMs / 2, () => {
    if (response.writableLength > 0) {
      response.destroy();
    }
  });
  // Before Node gives the socket to the next answer of the connection, or a time of its own to the idle one.
  response.prependListener('finish', () => response.socket?.setTimeout(0));
}
