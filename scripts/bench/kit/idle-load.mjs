/** Callers that open a response and then only wait, in a process of their own. */
import { Agent, request as send } from 'node:http';

/** Connections that are being opened at once. */
const OPENING = 100;

let held = [];
let received = new Set();

/**
 * `{ open: { url, body, count } }` → `{ opened, firstProblem }`; `{ close: true }` → `{ closed }`;
 * `{ count: true }` → `{ receivers }`, the callers that received an event since the last `{ reset: true }`.
 */
process.on('message', async ({ open, close, count, reset }) => {
  if (open) {
    process.send(await openAll(open));
  } else if (close) {
    const closed = held.length;
    held.forEach((outgoing) => outgoing.destroy());
    held = [];
    process.send({ closed });
  } else if (count) {
    process.send({ receivers: received.size });
  } else if (reset) {
    received = new Set();
    process.send({});
  }
});

async function openAll({ url, body, count }) {
  const agent = new Agent({ maxSockets: Infinity });
  let left = count;
  let opened = 0;
  let firstProblem;
  const opener = async () => {
    while (left-- > 0) {
      const problem = await openOne(url, body, agent);
      if (problem) {
        firstProblem ??= problem;
      } else {
        opened += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: OPENING }, opener));
  return { opened, firstProblem };
}

/** Resolves at the first bytes of the response. @returns the problem, or nothing */
function openOne(url, body, agent) {
  return new Promise((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = send(
      url,
      { method: body === undefined ? 'GET' : 'POST', agent, headers },
      (incoming) => {
        if (incoming.statusCode !== 200) {
          resolve(`status ${incoming.statusCode}`);
        }
        incoming.on('error', () => undefined);
        incoming.on('data', (bytes) => {
          if (bytes.includes('data: ')) {
            received.add(outgoing);
          }
          resolve(undefined);
        });
        // A log stream without records sends its headers at once, and its first bytes later.
        setTimeout(() => resolve(undefined), 1000).unref();
      },
    );
    held.push(outgoing);
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end(body);
  });
}
