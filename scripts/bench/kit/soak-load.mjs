/**
 * The soak's callers, in a process of their own: of ten streams one fails upstream, three are left by their caller, six
 * are read to their end.
 */
import { Buffer } from 'node:buffer';
import { Agent, request as send } from 'node:http';

const KINDS = [
  'failed',
  'cancelled',
  'whole',
  'whole',
  'cancelled',
  'whole',
  'whole',
  'cancelled',
  'whole',
  'whole',
];

/** What an unknown caller gets last of a stream that fails, before its connection breaks. */
const FAILURE = /data: \{"error":\{[^\n]*\}\}\n\n$/;

/** Runs one round: `{ url, from, count, concurrency }` → `{ whole, failed, cancelled, wrong, firstWrong }`. */
process.on('message', async ({ url, from, count, concurrency }) => {
  const agent = new Agent({ keepAlive: true });
  const result = { whole: 0, failed: 0, cancelled: 0, wrong: 0, firstWrong: undefined };
  let next = from;
  const caller = async () => {
    while (next < from + count) {
      const kind = KINDS[next++ % KINDS.length];
      const end = await complete(`${url}/chat/completions`, agent, kind);
      if (end === kind) {
        result[kind] += 1;
      } else {
        result.wrong += 1;
        result.firstWrong ??= `${kind}: ${end}`;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  agent.destroy();
  process.send(result);
});

/** @returns the kind of end that was seen, or what was wrong with it */
function complete(url, agent, kind) {
  const body = JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content: kind }] });
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = send(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (piece) => {
        text += piece;
        if (kind === 'cancelled' && text.includes(' words ')) {
          resolve('cancelled');
          outgoing.destroy();
        }
      });
      incoming.on('error', ({ message }) => resolve(FAILURE.test(text) ? 'failed' : message));
      incoming.on('end', () => resolve(endOf(incoming.statusCode, text)));
    });
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end(body);
  });
}

function endOf(status, text) {
  if (status !== 200) {
    return `status ${status}: ${text.slice(0, 300)}`;
  }
  if (text.endsWith('data: [DONE]\n\n')) {
    return 'whole';
  }
  return `ended cleanly after: ${text.slice(-300)}`;
}
