import { post, refusalFrom } from './post.js';

/** The prompt is posted first; its answer comes over an EventSource. */
export function openEventSource(csrfToken) {
  return async (request, onEvent) => {
    const response = await post('/api/messages', request, csrfToken);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (!response.ok || !isJson) {
      return refusalFrom(response);
    }
    const content = await response.json();
    if (content.id === undefined) {
      return { status: 200, retryAfter: null, type: 'application/json', body: JSON.stringify(content) };
    }
    await listen(new EventSource(`/api/events?id=${encodeURIComponent(content.id)}`), onEvent);
    return undefined;
  };
}

function listen(source, onEvent) {
  return new Promise((resolve, reject) => {
    const end = (settle) => {
      source.close();
      settle();
    };
    source.addEventListener('message', ({ data }) => {
      try {
        const event = JSON.parse(data);
        onEvent(event);
        if (event.type === 'done' || event.type === 'error') {
          end(resolve);
        }
      } catch (error) {
        end(() => reject(error));
      }
    });
    // An EventSource would connect again by itself, but the server hands an answer out once.
    source.addEventListener('error', () => end(() => reject(new Error('The stream broke.'))));
  });
}
