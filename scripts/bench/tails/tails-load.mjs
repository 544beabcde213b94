/**
 * The callers of `bench-tails.mjs`, in a process of their own. A round, `{ url, key, streams, turns, isSpread }`, has each
 * of so many callers ask one question after the other, and gives `{ requests, errors, firstError, firstMs, delaysMs }`: for
 * each request the time to its first text, and for each chunk that from its writing by the upstream to its arrival.
 */
import { Buffer } from 'node:buffer';
import { Agent, request as send } from 'node:http';
import { hrtime } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { CHUNKS, INTERVAL_MS } from '../kit/answers.mjs';
import { ENDPOINTS } from '../kit/endpoints.mjs';

const STAMP = /"content":" (\d+)"/g;

process.on('message', async ({ url, key, model, streams, turns, isSpread }) => {
  const { path, body: bodyOf, streamEnd } = ENDPOINTS.chat;
  const body = JSON.stringify(bodyOf(model, true, 'stamped'));
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${key}`,
  };
  const agent = new Agent({ keepAlive: true });
  const report = { requests: streams * turns, errors: 0, firstError: undefined, firstMs: [], delaysMs: [] };

  const ask = () =>
    new Promise((resolve, reject) => {
      const sent = nowUs();
      const outgoing = send(url + path, { method: 'POST', agent, headers }, (incoming) => {
        let text = '';
        let stamps = 0;
        incoming.setEncoding('utf8');
        incoming.on('data', (piece) => {
          const arrived = nowUs();
          text += piece;
          // Frames are written whole, so no piece ends within one that a local connection carries.
          for (const [, stamp] of piece.matchAll(STAMP)) {
            if (stamps === 0) {
              report.firstMs.push((arrived - sent) / 1000);
            } else {
              report.delaysMs.push((arrived - Number(stamp)) / 1000);
            }
            stamps += 1;
          }
        });
        incoming.on('error', reject);
        incoming.on('end', () =>
          stamps === CHUNKS && text.endsWith(streamEnd)
            ? resolve()
            : reject(new Error(`status ${incoming.statusCode}, ${stamps} chunks: ${text.slice(0, 300)}`)),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  const caller = async (_, index) => {
    if (isSpread) {
      await wait((index / streams) * CHUNKS * INTERVAL_MS);
    }
    for (let turn = 0; turn < turns; turn++) {
      await ask().catch((error) => {
        report.errors += 1;
        report.firstError ??= error.message;
      });
    }
  };
  await Promise.all(Array.from({ length: streams }, caller));
  agent.destroy();
  process.send(report);
});

function nowUs() {
  return Number(hrtime.bigint() / 1000n);
}
