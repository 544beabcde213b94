import { EventParser } from './event-parser.js';

/**
 * Posts a prompt and hands every event of the answer to `onEvent`. Resolves at the end of the response with
 * undefined, or with what came in place of a stream: `{status, retryAfter, type, body}`.
 */
export async function ask(request, csrfToken, onEvent) {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken, 'x-client-version': '1' },
    body: JSON.stringify(request),
  });
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !type.startsWith('text/event-stream')) {
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      type,
      body: await response.text(),
    };
  }
  const parser = new EventParser();
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    parser.read(text).forEach(onEvent);
  }
  return undefined;
}
