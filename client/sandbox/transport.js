import { openEventSource } from './eventsource-transport.js';
import { ask } from './fetch-transport.js';
import { post } from './post.js';
import { openSocket } from './websocket-transport.js';
import { openWorker } from './worker-transport.js';

/**
 * The page's connection to the server. `ask(request, onEvent)` resolves with undefined at the answer's end, or with a
 * refusal: `{status, retryAfter, type, body}`. `stop(ids)` ends an answer at the server.
 */
export function openTransport(kind, csrfToken) {
  switch (kind) {
    case 'worker':
      return withStop(openWorker(csrfToken), csrfToken);
    case 'eventsource':
      return withStop(openEventSource(csrfToken), csrfToken);
    case 'websocket':
      return openSocket(csrfToken);
    default:
      return withStop((request, onEvent) => ask(request, csrfToken, onEvent), csrfToken);
  }
}

function withStop(askServer, csrfToken) {
  return { ask: askServer, stop: (ids) => post('/api/stop', ids, csrfToken) };
}
