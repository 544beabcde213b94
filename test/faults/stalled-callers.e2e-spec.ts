/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FaultRig, ms, report } from '../support/gateway/fault-rig.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { heldBytes } from '../support/watch/held-memory.js';
import { processPace } from '../support/watch/machine-pace.js';

const CALLERS = 50;
/** Time for which a caller may take nothing in; multiplied by the machine's pace, so that all stall before one is cut. */
const CUT_AFTER_MS = 20_000;
/** Memory per stalled caller, and a fixed part for all of them together. */
const CALLER_BYTES = 256 * 2 ** 10;
const SPARE_BYTES = 20 * 2 ** 20;

let rig: FaultRig;

afterEach(() => rig.close());

describe('F29: callers that never read', () => {
  it('are cut off, and cost little memory until then', async () => {
    const cutAfterMs = CUT_AFTER_MS * (await processPace.factor());
    rig = await FaultRig.start(2, {
      POOL_MAX_SESSIONS: CALLERS,
      POOL_MAX_SESSIONS_PER_ACCOUNT: CALLERS / 2,
      HEARTBEAT_INTERVAL_MS: Math.round(cutAfterMs / 2),
      UPSTREAM_IDLE_MS: 3 * cutAfterMs,
      UPSTREAM_FIRST_BYTE_MS: 3 * cutAfterMs,
      DEFAULT_MAX_TOKENS: 65_536,
    });
    rig.stub.answerNextWith(answer());
    rig.stub.answerWith(endlessAnswer());
    const entries = await rig.scenario(async () => {
      // The first request of a process takes 16 MiB for its HTTP client, a module of WebAssembly.
      await rig.ask();
      const before = { held: heldBytes(), rss: process.memoryUsage.rss() };
      const sockets = Array.from({ length: CALLERS }, connectCaller);
      await rig.prompts(CALLERS + 1);
      await stalled();
      const stalledAt = performance.now();
      let grown = Infinity;
      await eventually(PATIENCE_MS, () => {
        grown = heldBytes() - before.held;
        expect(grown).toBeLessThan(CALLERS * CALLER_BYTES + SPARE_BYTES);
      });
      const resident = (process.memoryUsage.rss() - before.rss) / 2 ** 20;
      // The first may be cut before the last one stalls.
      expect(rig.pool.stats().leases).toBeGreaterThan(CALLERS * 0.8);
      await eventually(2 * cutAfterMs, () => expect(rig.pool.stats().leases).toBe(0));
      const cut = performance.now() - stalledAt;
      await processPace.expectWithin(cut - cutAfterMs, 3000);
      sockets.forEach((socket) => socket.destroy());
      const reusable = await rig.reusableMs(performance.now());
      report(
        'F29',
        `${CALLERS} stalled callers hold ${(grown / 2 ** 20).toFixed(1)} MiB (resident: ${resident.toFixed(0)} MiB more)`,
        `cut off ${ms(cut)} after they stalled`,
        `reusable after ${ms(reusable)}`,
      );
    });
    expect(entries.map(({ outcome }) => outcome)).toEqual([
      'ok',
      ...Array<string>(CALLERS).fill('cancelled'),
      'ok',
    ]);
  });
});

/**
 * An answer of ordinary text, word by word. The buffers of the system take several megabytes of it for each caller; its end
 * would be the limit of tokens.
 */
function endlessAnswer(): StubPlan {
  const block = `data: ${JSON.stringify(chunk({ content: 'word ' }))}\n\n`.repeat(20);
  return async (reply) => {
    reply.accept();
    while (!reply.isClientGone) {
      await reply.raw(block);
    }
  };
}

function connectCaller(): Socket {
  const { origin, settings } = rig.gateway;
  const { body } = rig.prepare(true);
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined).pause();
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${settings.API_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** Resolves when the upstream cannot send any more to anybody. */
async function stalled(): Promise<void> {
  let seen = { bytes: -1, since: 0 };
  await eventually(PATIENCE_MS, () => {
    const bytes = rig.stub.requests.reduce((sum, request) => sum + request.bytesWritten(), 0);
    seen = bytes === seen.bytes ? seen : { bytes, since: performance.now() };
    expect(performance.now() - seen.since).toBeGreaterThan(300);
  });
}
