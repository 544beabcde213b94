import { ask as askByFetch } from './fetch-transport.js';

/** How the page talks to the server: `ask(request, onEvent)` and `stop(conversationId)`. */
export function openTransport(kind, csrfToken) {
  return {
    ask: (request, onEvent) => askByFetch(request, csrfToken, onEvent),
    stop: (id) => postStop(id, csrfToken),
  };
}

function postStop(conversationId, csrfToken) {
  return fetch('/api/stop', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify({ conversation_id: conversationId }),
  });
}
