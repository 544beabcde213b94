import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/**
 * When, after a caller's FIN, it is asked whether it still listens; milliseconds. A caller that is gone answers
 * the first question with a reset, and the second one finds the connection broken.
 */
const PROBE_AFTER_MS = [50, 100] as const;

/**
 * Tells callers that only finished sending (HTTP allows it) from callers that left. TCP shows the same FIN for both;
 * Node would drop both. The difference shows when something is sent: who is gone resets the connection.
 */
export function keepHalfClosedCallers(
  server: Server,
  responseOf: (socket: Socket) => ServerResponse | undefined,
): void {
  // Known to Node's server and not to its types: answers go on after the other side's FIN.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => {
      const response = responseOf(socket);
      if (response && !response.writableEnded) {
        probeLater(response);
      }
    });
  });
}

function probeLater(response: ServerResponse): void {
  const timers = PROBE_AFTER_MS.map((delay) => setTimeout(() => probe(response), delay));
  response.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
}

/** Sends what every HTTP client skips: an interim response before the answer, a comment within an event stream. */
function probe(response: ServerResponse): void {
  if (response.writableEnded) {
    return;
  }
  if (response.headersSent) {
    if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) {
      response.write(': heartbeat\n\n');
    }
  } else if (response.req.httpVersion === '1.1') {
    response.writeProcessing();
  } else {
    // HTTP/1.0 has no interim responses. Its usual speakers are proxies, which close only when their caller left.
    response.destroy();
  }
}
