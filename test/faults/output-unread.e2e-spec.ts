import { expect, it } from '@jest/globals';
import { type ChildGateway, useChildRig } from '../support/gateway/child-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** More lines than the buffers of the pipe and its reader hold. */
const REQUESTS = 1500;
const PARALLEL = 10;

let child: ChildGateway;

useChildRig(async (rig) => {
  rig.stub.answerWith(answer({ pieces: ['well'] }));
  child = await rig.start({ LOG_LEVEL: 'info' });
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
