import { execFile } from 'node:child_process';
import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  ADMITTED_AT_ONCE_BYTES,
  admittedBytes,
  BodyAdmission,
} from '../../src/common/http/body/body-admission.js';
import { BodyBudget } from '../../src/common/http/body/body-budget.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { exchange, type RawResponse } from '../support/hostile/raw-http.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { watchLoop } from '../support/watch/loop-watch.js';
import { cpuPace } from '../support/watch/machine-pace.js';

const MAX_STALL_MS = 250;

let stub: OpenAiStub;
let gateway: TestGateway;

beforeAll(async () => {
  stub = await OpenAiStub.start();
  gateway = await startGateway({ PROVIDER: 'openai', UPSTREAM_BASE_URL: stub.baseUrl });
});

afterAll(async () => {
  await gateway?.close();
  await stub?.close();
});

async function sendBodies(kind: string): Promise<(readonly [status: number, code: string | null])[]> {
  const script = join(import.meta.dirname, '..', 'support', 'hostile', 'post-bodies.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    `${gateway.baseUrl}/chat/completions`,
    kind,
  ]);
  return JSON.parse(stdout) as (readonly [number, string | null])[];
}

test.each([
  ['twenty of 5 MB', 20, 'context_window_exceeded'],
  ['one of 24 MB', 1, 'context_window_exceeded'],
  ['a million unique keys', 4, 'invalid_request'],
  ['as many keys as allowed', 8, 'invalid_request'],
  ['depth bombs', 8, 'invalid_request'],
])('F31: %s at once: no turn of the event loop takes 250 ms of CPU', async (kind, count, code) => {
  const watch = watchLoop();
  const answers = await sendBodies(kind);
  const longest = watch.stop();
  process.stdout.write(`${kind}: longest turn ${longest.cpuMs} ms of CPU, ${longest.wallMs} ms\n`);
  expect(answers).toEqual(Array.from({ length: count }, () => [400, code]));
  await cpuPace.expectWithin(longest.cpuMs, MAX_STALL_MS);
  // Nothing of the bodies is counted as in memory any more.
  const budget = gateway.app.get(BodyBudget);
  budget.take(128 * 2 ** 20);
  budget.giveBack(128 * 2 ** 20);
});

test('a large body that does not come is answered 408, and leaves its memory to the next', async () => {
  const others = new PassThrough();
  const admission = gateway.app.get(BodyAdmission);
  // With the one that does not come, there is no room for another.
  const room = admittedBytes(getHeapStatistics().heap_size_limit) - ADMITTED_AT_ONCE_BYTES;
  await admission.waitForRoom(room, others as unknown as ServerResponse);
  const post = (length: number, body: string): Promise<RawResponse> =>
    exchange(
      Number(new URL(gateway.origin).port),
      `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${length}\r\n\r\n${body}`,
    );
  const { headers, status, body } = await post(ADMITTED_AT_ONCE_BYTES, '{');
  const id = headers.get('x-request-id')?.[0];
  expect([status, JSON.parse(body)]).toEqual([
    408,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'The request did not arrive in time.' },
      request_id: id,
    },
  ]);
  await eventually(PATIENCE_MS, () =>
    expect(gateway.entries.all.find((entry) => entry.id === id)).toMatchObject({
      outcome: 'client_error',
      status: 408,
      error: { code: 'request_timeout' },
    }),
  );
  const next = await post(ADMITTED_AT_ONCE_BYTES, `${' '.repeat(ADMITTED_AT_ONCE_BYTES - 2)}[]`);
  expect(next.status).toBe(400);
  others.destroy();
});
