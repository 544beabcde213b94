import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { HEARTBEAT } from '../answer/event-stream.js';

/**
 * Delays of the two probes after a caller's FIN, in milliseconds. A departed caller answers the first one with a reset,
 * which the second one finds.
 */
const PROBE_AFTER_MS = [50, 100] as const;
/** The same over HTTP/1.0, where the first one ends an answer that has not begun; so a quick one gets more time. */
const HTTP_1_0_PROBE_AFTER_MS = [250, 300] as const;

/** Probes callers after their FIN, to serve the half-closed ones and drop the departed ones: see `../README.md`. */
export function keepHalfClosedCallers(
  server: Server,
  responseOf: (socket: Socket) => ServerResponse | undefined,
): void {
  // Missing in the types of Node. Without it Node would end every answer at the caller's FIN.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('connection', (socket: Socket) => {
    socket.on('end', () => {
      const response = responseOf(socket);
      if (response && !response.writableEnded) {
        probeLater(response);
      }
    });
  });
}

function probeLater(response: ServerResponse): void {
  const delays = response.req.httpVersion === '1.1' ? PROBE_AFTER_MS : HTTP_1_0_PROBE_AFTER_MS;
  const timers = delays.map((delay) => setTimeout(() => probe(response), delay));
  response.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
}

/** Sends bytes that every HTTP client skips: an interim response before the answer, a comment in an event stream. */
function probe(response: ServerResponse): void {
  if (response.writableEnded) {
    return;
  }
  if (response.headersSent) {
    if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) {
      response.write(HEARTBEAT);
    }
  } else if (response.req.httpVersion === '1.1') {
    response.writeProcessing();
  } else {
    // HTTP/1.0 has no interim responses. It is mostly spoken by proxies, which close only when their caller left.
    response.destroy();
  }
}
