import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** More lines than the buffers of the pipe and its reader hold. */
const REQUESTS = 1500;
const PARALLEL = 10;

let folder: string;
let stub: OpenAiStub;
let child: ChildGateway;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'output-unread-'));
  stub = await OpenAiStub.start();
  stub.answerWith(answer({ pieces: ['well'] }));
  child = await ChildGateway.start({
    DATA_DIR: folder,
    LOG_LEVEL: 'info',
    PROVIDER: 'openai',
    UPSTREAM_BASE_URL: stub.baseUrl,
  });
});
afterEach(async () => {
  await child.kill();
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the process log that nobody reads stops nothing, and goes on when it is read', async () => {
  let shown = '';
  child.output?.on('data', (text: string) => (shown += text));
  child.output?.pause();
  let last = '';
  const askOn = async (): Promise<void> => {
    for (let asked = 0; asked < REQUESTS / PARALLEL; asked++) {
      last = await child.ask();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, askOn));
  child.output?.resume();
  await eventually(PATIENCE_MS, () => expect(shown).toContain(last));
  const lines = shown.split('\n').filter((line) => line.includes('request finished'));
  expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(
    Array<string>(REQUESTS).fill('ok'),
  );

  child.output?.pause();
  await Promise.all(Array.from({ length: PARALLEL }, askOn));
  child.signal('SIGTERM');
  expect(await child.ended).toEqual([0, null]);
});
