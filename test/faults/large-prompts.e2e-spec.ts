import { expect, test } from '@jest/globals';
import { type ChildGateway, useChildRig } from '../support/gateway/child-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

/** MiB of the old generation. */
const HEAP_MIB = 160;
const PROMPTS = 40;
const PROMPT = 'a long file ';
const PROMPT_BYTES = 2 ** 20;
const KEY = 'key-of-the-operator-4b12';

let gateway: ChildGateway;

useChildRig(async (rig) => {
  rig.stub.answerWith(answer({ pieces: 8, intervalMs: 100 }));
  gateway = await rig.start({
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    API_KEY: KEY,
    POOL_MAX_SESSIONS: String(PROMPTS),
    POOL_MAX_SESSIONS_PER_ACCOUNT: String(PROMPTS),
    // Longer than the machine may take; the limit of a whole request is 60 s.
    POOL_ACQUIRE_TIMEOUT_MS: '60000',
  });
});

test('more large prompts at once than the heap has room for: all are answered', async () => {
  const content = PROMPT.repeat(PROMPT_BYTES / PROMPT.length);
  const body = bodyOf([{ role: 'user', content }]);
  const answers = await Promise.all(Array.from({ length: PROMPTS }, () => complete(body)));
  expect(answers).toEqual(answers.map(() => [200, true]));
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
