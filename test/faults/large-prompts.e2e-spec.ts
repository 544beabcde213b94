import { expect, test } from '@jest/globals';
import { type ChildGateway, useChildRig } from '../support/gateway/child-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

/** MiB of the old generation. */
const HEAP_MIB = 160;
const PROMPTS = 40;
const PROMPT = 'a long file ';
const PROMPT_BYTES = 2 ** 20;
const KEY = 'key-of-the-operator-4b12';
/** Limit of a request, and of its wait for room. */
const LIMIT_MS = 60_000;

let gateway: ChildGateway;

useChildRig(async (rig) => {
  rig.stub.answerWith(answer({ pieces: 8, intervalMs: 100 }));
  gateway = await rig.start({
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    API_KEY: KEY,
    POOL_MAX_SESSIONS: String(PROMPTS),
    POOL_MAX_SESSIONS_PER_ACCOUNT: String(PROMPTS),
    POOL_ACQUIRE_TIMEOUT_MS: String(LIMIT_MS),
  });
});

test('more large prompts at once than the heap has room for: all are answered', async () => {
  const content = PROMPT.repeat(PROMPT_BYTES / PROMPT.length);
  const body = bodyOf([{ role: 'user', content }]);
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: PROMPTS }, async () => ({
      answer: await complete(body),
      endedMs: performance.now() - began,
    })),
  );
  // A machine that needs longer than the limit has the rest refused then.
  const inTime = answers.filter(({ endedMs }) => endedMs < LIMIT_MS).map(({ answer }) => answer);
  expect(inTime).toEqual(inTime.map(() => [200, true]));
  const statuses = answers.map(({ answer: [status] }) => status);
  expect(statuses.filter((status) => ![200, 408, 429].includes(Number(status)))).toEqual([]);
});

test('a long prompt of escapes with half a character is answered', async () => {
  const content = `${'\n'.repeat(2_000_000)}\ud83d`;
  expect(await complete(bodyOf([{ role: 'user', content }]))).toEqual([200, true]);
});

function bodyOf(messages: readonly object[]): string {
  return JSON.stringify({ model: 'svc-max', stream: true, messages });
}

/** @returns status, and whether the answer has ended */
async function complete(body: string): Promise<unknown[]> {
  const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body,
  });
  const text = await response.text();
  return [response.status, text.trimEnd().endsWith('data: [DONE]')];
}
