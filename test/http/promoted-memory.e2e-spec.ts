import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { jsonAnswer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const AT_ONCE = 24;
/** The young generation is as large as it gets then. */
const WARM_UP = 1500;
/** V8 collects it a few times in a window, and the old one less often. */
const WINDOW = 1000;
/** On a busy machine the young generation may still grow in the first ones, and what then survives is counted, too. */
const MOST_WINDOWS = 10;
/** Some 300 are left, and 10,000 where something goes on to refer to all responses (decision 209). */
const MOST_BYTES = 4000;

interface OldGeneration {
  readonly bytes: number;
  readonly collections: number;
}

it('what a request has allocated is gone with the next quick collection', async () => {
  const stub = await OpenAiStub.start();
  stub.answerWith(jsonAnswer({ role: 'assistant', content: 'Hi' }));
  const folder = mkdtempSync(join(tmpdir(), 'gateway-promotions-'));
  const file = join(folder, 'promotions.txt');
  const gateway = await ChildGateway.start({
    DATA_DIR: folder,
    PROVIDER: 'openai',
    UPSTREAM_BASE_URL: stub.baseUrl,
    UPSTREAM_API_KEYS: 'k1',
    POOL_MAX_SESSIONS: `${AT_ONCE}`,
    POOL_MAX_SESSIONS_PER_ACCOUNT: `${AT_ONCE}`,
    PROMOTIONS_FILE: file,
    NODE_OPTIONS: `--import=${new URL('../support/watch/note-promotions.mjs', import.meta.url).href}`,
  });
  try {
    await askMany(gateway, WARM_UP);
    let least = Infinity;
    let before = await oldGeneration(gateway, file, 1);
    for (let window = 0; window < MOST_WINDOWS && least >= MOST_BYTES; window++) {
      await askMany(gateway, WINDOW);
      const after = await oldGeneration(gateway, file, window + 2);
      if (after.collections === before.collections) {
        least = Math.min(least, (after.bytes - before.bytes) / WINDOW);
      }
      before = after;
    }
    expect(least).toBeLessThan(MOST_BYTES);
  } finally {
    await gateway.kill();
    await stub.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function askMany({ baseUrl }: ChildGateway, count: number): Promise<void> {
  const body = JSON.stringify({
    model: 'svc-max',
    stream: false,
    messages: [{ role: 'user', content: 'hi' }],
  });
  const headers = { 'content-type': 'application/json' };
  let left = count;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toEqual([200, expect.any(Object)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

/** @param line number of the answer in the file, from 1 */
async function oldGeneration(gateway: ChildGateway, file: string, line: number): Promise<OldGeneration> {
  gateway.signal('SIGUSR2');
  return eventually(PATIENCE_MS, () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.length).toBeGreaterThan(line);
    return JSON.parse(lines[line - 1] ?? '') as OldGeneration;
  });
}
