import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BodyBudget } from '../../src/common/http/body/body-budget.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
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
])('%s at once: no turn of the event loop takes 250 ms of CPU', async (kind, count, code) => {
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
