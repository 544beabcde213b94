import { openCompletion } from '../api.js';
import { EventStreamReader } from '../event-stream.js';
import { ChatAnswer } from './chat-answer.js';

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
      await readStream(
        response,
        (chunk) => answer.takeChunk(chunk, since()),
        () => onChange(answer),
      );
      answer.end(since());
    } else {
      answer.takeBody(await response.json(), since());
      answer.end(since());
    }
  } catch (error) {
    answer.requestId ??= error.requestId;
    answer.end(since(), asFailure(error, signal));
  }
  onChange(answer);
  return answer;
}

async function readStream(response, take, onPiece) {
  const events = new EventStreamReader();
  const decoder = new TextDecoder();
  for await (const bytes of piecesOf(response.body)) {
    for (const { data } of events.read(decoder.decode(bytes, { stream: true }))) {
      if (data !== '[DONE]') {
        take(JSON.parse(data));
      }
    }
    onPiece();
  }
}

/** Not every browser iterates over a stream. */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    yield value;
  }
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
