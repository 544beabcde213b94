/** The soak's upstream, in a process of its own. The last message of a request names the answer that it wants. */
import { clearInterval, setInterval } from 'node:timers';
import { FIRST_FRAME, LAST_FRAMES } from './answers.mjs';
import { serveCompletions } from './completion-server.mjs';

/** Chunks of an answer, and those before it fails, or before its caller leaves. */
const CHUNKS = 20;
const FIRST_CHUNKS = 5;
const INTERVAL_MS = 5;
// No piece begins as another one does: that would look like an answer sent whole each time.
const FRAMES = Array.from({ length: CHUNKS }, (_, index) =>
  FIRST_FRAME.replace('"content":""', `"content":"${index} words "`),
);

const FAILURES = [
  (response) => response.destroy(),
  (response) => response.end('data: {"error":{"message":"out of memory"}}\n\n'),
  (response) => response.end('data: {"choices":[{"del\n\n'),
  (response) => response.end(),
];
let failures = 0;

function answer(kind, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(FIRST_FRAME);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < FIRST_CHUNKS || kind === 'whole') {
      response.write(FRAMES[sent++]);
    }
    if (sent === FIRST_CHUNKS && kind === 'failed') {
      clearInterval(timer);
      FAILURES[failures++ % FAILURES.length](response);
    } else if (sent === CHUNKS) {
      clearInterval(timer);
      response.end(LAST_FRAMES);
    } else if (sent === FIRST_CHUNKS && kind === 'idle') {
      // Says nothing more until its caller leaves.
      clearInterval(timer);
    }
  }, INTERVAL_MS);
  response.on('close', () => clearInterval(timer));
}

serveCompletions(({ messages }, response) => answer(messages.at(-1).content, response));
