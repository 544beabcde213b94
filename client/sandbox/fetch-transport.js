import { EventParser } from './event-parser.js';
import { post, refusalFrom } from './post.js';

/** The answer comes as the response to the prompt. */
export async function ask(request, csrfToken, onEvent) {
  const response = await post('/api/chat', request, csrfToken);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !type.startsWith('text/event-stream')) {
    return refusalFrom(response);
  }
  const parser = new EventParser();
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    parser.read(text).forEach(onEvent);
  }
  return undefined;
}
