import { type ServerResponse } from 'node:http';

/**
 * Cuts a caller off who has taken nothing in for at most `afterMs` although something waits for it: it stopped
 * reading, and its socket would hold memory for ever. The socket's own idle timer is used, since it sees progress
 * inside one large write. It compares the queue at the end of each period with that of the period before, so it may
 * need two to see that nothing moves.
 */
export function cutStalledCaller(response: ServerResponse, afterMs: number): void {
  response.setTimeout(afterMs / 2, () => {
    if (response.writableLength > 0) {
      response.destroy();
    }
  });
}
