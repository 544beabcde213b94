import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { answer, endless, failed } from '../support/upstream/openai-stub-plans.js';

const KEY = 'key-of-the-operator';
const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url));
const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const TOOLS = JSON.stringify([{ type: 'function', function: { name: 'read_file' } }]);

const dashboard = useDashboard({
  API_KEY: KEY,
  LOG_CONTENT: 'full',
  RETRY_MAX_ATTEMPTS: 1,
  RECORD_UPSTREAM: 'all',
});
const callerKey = { headers: { authorization: `Bearer ${KEY}` } };

async function pictures(page: Page, name: string): Promise<void> {
  const views = [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const;
  for (const [theme, width] of views) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.setViewport({ width, height: 900 });
    // Else the head of the page stands where it was scrolled to.
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`), fullPage: true });
  }
  expect(await inPage(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await inPage<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    page,
    'axe.run()',
  );
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe('the chat tester', () => {
  beforeAll(() => mkdir(FOLDER, { recursive: true }));

  it('streams an answer with reasoning, calls, usage and times, and goes on with it', async () => {
    dashboard.stub.answerNextWith(
      answer({
        reasoning: ['Let me ', 'look.'],
        pieces: ['I read ', 'the file.'],
        toolCalls: [{ id: 'c1', name: 'read_file', arguments: ['{"path":', '"a.txt"}'] }],
        finishReason: 'tool_calls',
        usage: USAGE,
      }),
    );
    const page = await dashboard.open('/chat', { width: 1440 });
    await page.waitForSelector('[name="model"] option');
    await page.locator('[name="prompt"]').fill('What is in a.txt?');
    await click(page, '#more > summary');
    await page.locator('[name="tools"]').fill('{');
    await click(page, '#send');
    await seeText(page, '#problem', 'This is not JSON');
    await page.locator('[name="tools"]').fill(TOOLS);
    await click(page, '#send');
    for (const text of ['complete', 'Let me look.', 'I read the file.', '"path":"a.txt"', 'Tokens out 5']) {
      await seeText(page, '#answer', text);
    }
    await pictures(page, 'chat');
    await click(page, '#follow-up');
    expect(await inPage(page, `document.querySelector('[name="earlier"]').value`)).toContain(
      '"tool_call_id"',
    );

    dashboard.stub.answerNextWith(endless(20));
    await click(page, '#send');
    await seeText(page, '#answer', 'answering');
    // The former answer is not to be had any more.
    expect(await textOf(page, '#answer-tools')).toBe('');
    await click(page, '#stop');
    await seeText(page, '#answer', 'stopped');
    expect(await page.$$('#answer .notice')).toEqual([]);

    dashboard.stub.answerNextWith(failed(500));
    await click(page, '#send');
    await seeText(page, '#answer', 'failed');
    await seeText(page, '#answer', 'status 50');
  });

  it('does not take an answer for complete whose stream ends early', async () => {
    const page = await dashboard.open('/chat');
    await page.waitForSelector('[name="model"] option');
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.url().endsWith('/chat/completions')
        ? void request.respond({
            contentType: 'text/event-stream',
            body: `data: ${JSON.stringify({ choices: [{ delta: { content: 'Once upon' } }] })}\n\n`,
          })
        : void request.continue(),
    );
    await page.locator('[name="prompt"]').fill('Tell me a story.');
    await click(page, '#send');
    await seeText(page, '#answer', 'The connection ended before the answer did.');
    await seeText(page, '#answer', 'Once upon');
  });

  it('gets its models once the gateway answers, if that was away', async () => {
    const page = await dashboard.open('/chat', { isWithoutWorkers: true });
    let isAway = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isLost = isAway && !/\/dashboard\/(chat|assets)/.test(request.url());
      void (isLost ? request.abort('connectionrefused') : request.continue());
    });
    await page.reload();
    await seeText(page, '#notices', 'The gateway does not answer.');
    isAway = false;
    await page.waitForSelector('[name="model"] option');
  });

  it('says on the overview whether the pool is large enough, and for what it is used', async () => {
    dashboard.stub.answerNextWith(answer({ pieces: ['Yes.'], usage: USAGE }));
    await dashboard.gateway.complete(
      { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }] },
      callerKey,
    );
    const page = await dashboard.open('', { width: 1440 });
    await seeText(page, '#capacity', 'Is it enough?');
    await seeText(page, '#capacity .plain-table', 'svc-max');
    await click(page, '#capacity [value="client"] + span');
    await seeText(page, '#capacity .plain-table', 'node');
    await pictures(page, 'capacity');
  });

  it('runs a logged request again, shows what differs, and opens it in the tester', async () => {
    dashboard.stub.answerNextWith(answer({ pieces: ['The cat ', 'sat.'], usage: USAGE }));
    const first = await dashboard.gateway.complete(
      { model: 'svc-max', stream: true, messages: [{ role: 'user', content: 'A cat?' }], temperature: 0.5 },
      callerKey,
    );
    const id = first.headers.get('x-request-id') ?? '';
    dashboard.stub.answerNextWith(answer({ pieces: ['The dog ', 'sat.'], usage: USAGE }));
    const page = await dashboard.open(`/logs?id=${id}`, { width: 1440 });
    await press(page, '.run-again', 'Run again');
    await seeText(page, '.difference', 'The catdog sat.');
    expect(await inPage(page, `document.querySelector('.difference ins').textContent`)).toBe('dog');
    await seeText(page, '.run-again', 'Tokens out 5 5');
    const { length } = dashboard.stub.requests;
    await click(page, '.recorded-run > summary');
    await press(page, '.recorded-run', 'Run from the recording');
    await seeText(page, '.recorded-run', 'Everything is decided as it was then.');
    expect(dashboard.stub.requests).toHaveLength(length);
    await page.evaluate(`document.querySelector('.run-again').scrollIntoView()`);
    await pictures(page, 'run-again');

    await Promise.all([page.waitForNavigation(), press(page, '.run-again', 'Open in the chat tester')]);
    await page.waitForFunction(`document.querySelector('[name="prompt"]').value === 'A cat?'`);
    expect(await inPage(page, `document.querySelector('[name="parameters"]').value`)).toContain(
      '"temperature": 0.5',
    );
  });

  it('says of a request in the form what the log does not have of it', async () => {
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    const { headers } = await dashboard.gateway.complete(
      { model: 'svc-max', messages: [{ role: 'user', content }] },
      callerKey,
    );
    const page = await dashboard.open(`/chat?id=${headers.get('x-request-id')}`);
    await seeText(page, '#answer', 'This is not the whole request: without its image.');
  });

  it('runs a logged request again with another model', async () => {
    const first = await dashboard.gateway.complete(
      { model: 'svc-max', messages: [{ role: 'user', content: 'Which model?' }] },
      callerKey,
    );
    const page = await dashboard.open(`/logs?id=${first.headers.get('x-request-id')}`, { width: 1440 });
    const own = '.run-again select option[value="svc-max"]:checked';
    const other = `.run-again select option:not([value="svc-max"])`;
    await page.waitForSelector(own);
    await page.waitForSelector(other);
    const name = await inPage<string>(page, `document.querySelector(${JSON.stringify(other)}).value`);
    await page.select('.run-again select', name);
    await press(page, '.run-again', 'Run again');
    await seeText(page, '.run-again table', `Model svc-max ${name}`);
    expect(dashboard.gateway.lastEntry?.model).toBe(name);
  });

  it('compares two logged requests, the other at first the one that was looked at before', async () => {
    const ask = async (question: string, ...pieces: string[]): Promise<string> => {
      dashboard.stub.answerNextWith(answer({ pieces }));
      const body = { model: 'svc-max', messages: [{ role: 'user', content: question }] };
      const { headers } = await dashboard.gateway.complete(body, callerKey);
      return headers.get('x-request-id') ?? '';
    };
    const before = await ask('Where is the cat?', 'The cat ', 'sat.');
    const after = await ask('Where is the dog?', 'The dog ', 'sat.');
    const page = await dashboard.open('/logs', { width: 1440 });
    await click(page, `[data-entry="${before}"] summary`);
    await page.waitForSelector(`[data-entry="${before}"] .entry-detail`);
    await click(page, `[data-entry="${after}"] summary`);
    const place = `[data-entry="${after}"] .compare-with`;
    await click(page, `${place} > summary`);
    await click(page, `${place} button`);
    await seeText(page, `${place} .difference`, 'The dogcat sat.');
    await seeText(page, `${place} .difference:last-of-type`, 'user: Where is the dogcat?');
    await pictures(page, 'compare');
    await page.locator(`${place} input`).fill('req_of_nobody');
    await click(page, `${place} button`);
    await page.waitForSelector(`${place} .field-error`);
  });
});
