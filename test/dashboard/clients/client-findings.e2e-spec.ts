import { request as sendRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { keepViews } from '../../support/browser/appearance.js';
import { click, inPage, press, seeText, textOf } from '../../support/browser/dashboard-browser.js';
import { useDashboard } from '../../support/browser/use-dashboard.js';
import { answer, hangs, rateLimited } from '../../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../../support/watch/eventually.js';

const KEY = 'key-of-the-gateway';
const WINDOW = 9000;
const TIMEOUT_MS = 5200;

const dashboard = useDashboard({
  API_KEY: KEY,
  DEFAULT_MAX_TOKENS: 3,
  models: { 'svc-max': { contextWindow: WINDOW, maxOutputTokens: 500, thinking: false } },
});

/** Does something several times, one after the other. */
async function repeat(times: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    await act(index);
  }
}

/** Asks as a client, for an answer of any kind. */
async function ask(client: string, body: object, signal?: AbortSignal): Promise<void> {
  const headers = { ...dashboard.withKey.headers, 'user-agent': client };
  const messages = [{ role: 'user', content: 'Hello!' }];
  await dashboard.gateway.complete(
    { model: 'svc-max', messages, ...body },
    { headers, ...(signal && { signal }) },
  );
}

/** Asks for a WebSocket, as Codex does with a provider that may have one. @returns the status */
function askForSocket(): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = {
    ...dashboard.withKey.headers,
    'user-agent': 'codex_cli_rs/0.171.0 (Debian 13.0.0; x86_64)',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const request = sendRequest(`${dashboard.gateway.origin}/v1/responses`, { headers });
  request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
  request.on('error', reject).end();
  return promise;
}

const settled = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

it('has nothing to say where clients work, people leave and agents learn', async () => {
  await repeat(3, () => ask('agent/1', { max_tokens: 100 }));
  await ask('agent/1', { messages: [{ role: 'user', content: 'word '.repeat(2 * WINDOW) }] });
  await ask('agent/1', { max_tokens: 100 });
  await ask('agent/1', { model: 'svc_max' });
  const page = await dashboard.open('', { width: 1440 });
  await seeText(page, '#capacity', 'Is it enough?');
  const response = await fetch(`${dashboard.gateway.origin}/dashboard/api/clients`, dashboard.withKey);
  expect(await response.json()).toEqual({ findings: [] });
  expect(await textOf(page, '#clients')).toBe('');
});

it('shows what clients get wrong, with the cure and the way to their requests', async () => {
  const { origin } = dashboard.gateway;
  const options = { apiKey: KEY, maxRetries: 0 };
  const withoutVersion = new OpenAI({ ...options, baseURL: origin });
  const withoutKey = new OpenAI({ ...options, baseURL: `${origin}/v1`, apiKey: 'sk-mistyped' });
  await repeat(2, () => settled(withoutVersion.models.list()));
  await repeat(3, () => settled(withoutKey.models.list()));
  await repeat(3, async () => expect(await askForSocket()).toBe(426));
  await repeat(2, () => ask('webui/1', { model: 'svc_max' }));
  await repeat(3, () => ask('long/1', { messages: [{ role: 'user', content: 'word '.repeat(2 * WINDOW) }] }));
  await repeat(5, (index) =>
    ask('bad/1', { messages: Array.from({ length: index + 1 }, () => ({ role: 'owner' })) }),
  );
  dashboard.stub.answerWith(answer({ pieces: 20, usage: undefined }));
  await repeat(3, () => ask('aider/1', {}));
  dashboard.stub.answerWith(hangs());
  await Promise.all(
    Array.from({ length: 4 }, () =>
      settled(ask('impatient/1', { max_tokens: 9, stream: false }, AbortSignal.timeout(TIMEOUT_MS))),
    ),
  );
  dashboard.stub.answerWith(rateLimited({ retryAfter: '60' }));
  await repeat(8, async () => {
    await ask('hasty/1', { max_tokens: 9 });
    await setTimeout(20);
  });

  const page = await dashboard.open('', { width: 1440 });
  await press(page, '#clients', '4 more');
  for (const text of [
    'OpenAI/JS',
    'It asks for /models, where nothing is.',
    `Set its base URL to this one, which ends in /v1. ${origin}/v1 Copy`,
    'The API key is wrong.',
    'codex_cli_rs/0.171.0',
    'supports_websockets = false',
    "It asks for the model 'svc_max'",
    `Set the context window in it to ${WINDOW} tokens`,
    'It is refused each time',
    'Its answers are cut at 3 tokens',
    'It gives requests up after ',
    'before the time that Retry-After says',
  ]) {
    await seeText(page, '#clients', text);
  }
  expect(await inPage(page, `document.querySelectorAll('#clients li').length`)).toBe(9);
  const lines = await inPage<number>(
    page,
    `(([symptom]) => {
       symptom.textContent = 'It says why, at length. '.repeat(40);
       return symptom.clientHeight / Number.parseFloat(getComputedStyle(symptom).lineHeight);
     })(document.querySelectorAll('#clients .symptom'))`,
  );
  expect(Math.round(lines)).toBe(3);
  await keepViews(page, 'client-findings');
  await page.setViewport({ width: 1440, height: 900 });
  await Promise.all([page.waitForNavigation(), click(page, '#clients a[href*="client=impatient"]')]);
  await eventually(PATIENCE_MS, async () =>
    expect(await inPage(page, `document.querySelectorAll('#list .entry').length`)).toBe(4),
  );
  expect(await textOf(page, '#list')).toContain('cancelled');
});

it('says so where they cannot be looked at, until they can', async () => {
  const page = await dashboard.open('', { width: 1440 });
  await seeText(page, '#clients', 'hasty/1');
  await page.setRequestInterception(true);
  let isBroken = true;
  page.on('request', (request) => {
    const isAsked = request.url().endsWith('/dashboard/api/clients');
    void (isAsked && isBroken ? request.respond({ status: 500, body: '' }) : request.continue());
  });
  await page.reload();
  await seeText(page, '#clients', 'Clients could not be looked at');
  isBroken = false;
  await seeText(page, '#clients', 'hasty/1');
  expect(await textOf(page, '#clients')).not.toContain('could not');
});
