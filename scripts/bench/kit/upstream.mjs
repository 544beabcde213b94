/** The benchmark's upstream: an OpenAI-format server in a process of its own. */
import { hrtime } from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { FIRST_FRAME, frame, FRAMES, INTERVAL_MS, JSON_BODY, LAST_FRAMES } from './answers.mjs';
import { serveCompletions } from './completion-server.mjs';

/** The first line of the last message; a gateway may tell of tools below it. */
function scenarioOf({ messages }) {
  const [line] = messages.at(-1).content.split('\n', 1);
  return line;
}

function answer(scenario, response) {
  if (scenario === 'json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON_BODY);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(FIRST_FRAME);
  if (scenario === 'flat') {
    FRAMES.forEach((text) => response.write(text));
    response.end(LAST_FRAMES);
    return;
  }
  let sent = 0;
  const timer = setInterval(() => {
    response.write(scenario === 'stamped' ? stampedFrame() : FRAMES[sent]);
    sent += 1;
    if (sent === FRAMES.length) {
      clearInterval(timer);
      response.end(LAST_FRAMES);
    }
  }, INTERVAL_MS);
  response.on('close', () => clearInterval(timer));
}

/** A chunk whose text is the time in microseconds of the machine's monotonic clock, which all processes share. */
function stampedFrame() {
  return frame({ content: ` ${hrtime.bigint() / 1000n}` });
}

serveCompletions((body, response) => answer(scenarioOf(body), response), Number(process.argv[2]));
