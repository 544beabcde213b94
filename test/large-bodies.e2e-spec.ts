import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BodyBudget } from '../src/common/http/body-budget.js';
import { type EdgeApp, startEdgeApp } from './support/edge-app.js';
import { watchLoop } from './support/loop-watch.js';

const MAX_STALL_MS = 250;

let edge: EdgeApp;

beforeAll(async () => {
  edge = await startEdgeApp();
});

afterAll(async () => {
  await edge?.app.close();
});

async function sendBodies(kind: string): Promise<(readonly [status: number, code: string | null])[]> {
  const script = join(import.meta.dirname, 'support', 'post-bodies.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    `${edge.url}/v1/chat/completions`,
    kind,
  ]);
  return JSON.parse(stdout) as (readonly [number, string | null])[];
}

test.each([
  ['twenty of 5 MB', 20, 200, null],
  ['twenty of 5 MB, escaped', 20, 200, null],
  ['one of 24 MB', 1, 200, null],
  ['one of 24 MB, wide', 1, 200, null],
  ['a million unique keys', 4, 400, 'invalid_request'],
  ['as many keys as allowed', 8, 400, 'invalid_request'],
  ['depth bombs', 8, 400, 'invalid_request'],
])('%s at once: no turn of the event loop takes 250 ms', async (kind, count, status, code) => {
  const watch = watchLoop();
  const answers = await sendBodies(kind);
  const longest = watch.stop();
  process.stdout.write(`${kind}: longest turn ${longest.cpuMs} ms of CPU, ${longest.wallMs} ms\n`);
  expect(answers).toEqual(Array.from({ length: count }, () => [status, code]));
  expect(longest.cpuMs).toBeLessThan(MAX_STALL_MS);
  // Nothing of the bodies is counted as in memory any more.
  const budget = edge.app.get(BodyBudget);
  budget.take(128 * 2 ** 20);
  budget.giveBack(128 * 2 ** 20);
});
