import { type ServerResponse } from 'node:http';

/**
 * Cuts a caller off who has taken nothing in for `afterMs` although something waits for it: it stopped reading, and
 * its socket would hold memory for ever. The socket's own idle timer is used, since it sees progress inside one
 * large write.
 */
export function cutStalledCaller(response: ServerResponse, afterMs: number): void {
  response.setTimeout(afterMs, () => {
    if (response.writableLength > 0) {
      response.destroy();
    }
  });
}
