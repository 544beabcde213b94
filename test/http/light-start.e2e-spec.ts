import { expect, it } from '@jest/globals';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { loadedModules } from '../support/watch/loaded-modules.js';

/** The browser's library, the web driver, the sandbox site, their validator, the shared store's client, and the vocabulary. */
const HEAVY =
  /\/(puppeteer|puppeteer-core|zod|pg|gpt-tokenizer)\/|\/src\/(sandbox\/|upstream\/web\/web-driver)/;

it('a gateway in front of an API that reports its usage loads nothing of what others need', async () => {
  const stub = await OpenAiStub.start();
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  stub.answerWith(answer({ pieces: ['Hi'], usage }));
  try {
    const urls = await loadedModules({ UPSTREAM_BASE_URL: stub.baseUrl, UPSTREAM_API_KEYS: 'k' }, (gateway) =>
      gateway.ask().then(() => undefined),
    );
    expect(urls.filter((url) => HEAVY.test(url))).toEqual([]);
    expect(urls.filter((url) => url.endsWith('/openai-driver.ts'))).not.toEqual([]);
  } finally {
    await stub.close();
  }
});
