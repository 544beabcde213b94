import { openCompletion } from '../api.js';
import { eventBatches } from '../event-stream.js';
import { ChatAnswer } from './chat-answer.js';

/** Something on the way may end a stream as if it were whole. */
const BROKEN_OFF = { message: 'The connection ended before the answer did.', code: 'cut' };

/**
 * Asks for a chat completion like any other client, with the operator's key.
 *
 * @param {Record<string, any>} body
 * @param {{ signal: AbortSignal, onChange?: (answer: ChatAnswer) => void }} options `onChange`: called after each piece
 * @returns {Promise<ChatAnswer>} never rejects: a failure is in the answer
 */
export async function callChat(body, { signal, onChange = () => {} }) {
  const answer = new ChatAnswer();
  const from = performance.now();
  const since = () => performance.now() - from;
  try {
    const response = await openCompletion(body, signal);
    answer.headersMs = since();
    answer.requestId = response.headers.get('x-request-id') ?? undefined;
    onChange(answer);
    if (/event-stream/.test(response.headers.get('content-type') ?? '')) {
      for await (const events of eventBatches(response)) {
        events
          .filter(({ data }) => data !== '[DONE]')
          .forEach(({ data }) => answer.takeChunk(JSON.parse(data), since()));
        onChange(answer);
      }
    } else {
      answer.takeBody(await response.json(), since());
    }
    answer.end(since(), answer.finishReason === undefined ? BROKEN_OFF : undefined);
  } catch (error) {
    answer.requestId ??= error.requestId;
    answer.end(since(), asFailure(error, signal));
  }
  onChange(answer);
  return answer;
}

function asFailure(error, signal) {
  if (signal.aborted) {
    return { message: 'You stopped it.', code: 'stopped' };
  }
  if (error.name === 'ApiError') {
    return { message: error.message, code: error.code, status: error.status };
  }
  return { message: `The connection was cut: ${error.message}`, code: 'cut' };
}
