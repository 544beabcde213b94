import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { NetworkLog } from '../../src/common/network/network-log.js';
import { RequestLog } from '../../src/logs/request-log.js';
import { click, inPage, seeText } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { XSS_STRINGS } from '../support/hostile/xss-strings.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** Elements that a text must never become. */
const FOREIGN =
  'main :is(script, style, iframe, object, embed, link, base, meta, video, audio, marquee, template, math, img), [onload], [onerror], [onfocus]';

const dashboard = useDashboard();
beforeAll(async () => {
  await Promise.all(XSS_STRINGS.map(plant));
  for (const text of XSS_STRINGS.slice(0, 3)) {
    await converse(text);
  }
});

/** Puts a text into every field of an entry, an exchange and an account that can hold one from outside. */
async function plant(text: string, index: number): Promise<void> {
  const id = `planted-${index}`;
  const log = dashboard.gateway.app
    .get(RequestLog)
    .open({ id, method: 'POST', path: '/v1/chat/completions', operation: 'completion' });
  const call = { id: text, name: text, arguments: text };
  log.finish('upstream_error', {
    status: 500,
    model: text,
    account: text,
    sessionId: text,
    client: text,
    finishReason: text,
    error: { code: 'internal_error', reason: 'upstream_error', message: text, cause: text },
    attempts: [
      {
        account: text,
        sessionId: text,
        startedMs: 0,
        durationMs: 1,
        outcome: text,
        detail: text,
        considered: [{ account: text, outcome: text }],
      },
    ],
    considered: [{ account: text, outcome: text }],
    condensed: [
      { message: 0, tool: text, rules: [text], before: 9, after: 1, content: { before: text, after: text } },
    ],
    corrections: [{ atMs: 1, cause: 'echo', action: 'passed', detail: text }],
    toolCalls: [{ ...call, repairs: [text] }],
    repeatedCall: { name: text, times: 2 },
    content: {
      messages: [
        { role: 'user', content: text },
        { role: text, content: text, toolCalls: [call], toolCallId: text },
      ],
      reasoning: text,
      answer: text,
    },
  });
  const exchange = dashboard.gateway.app.get(NetworkLog).begin({
    requestId: id,
    account: text,
    method: 'POST',
    url: `http://upstream.test/${text}`,
    headers: { 'x-text': text },
    body: text,
  });
  exchange.head(500, { 'x-text': text });
  exchange.data(text.length, text);
  exchange.end(text);
  await dashboard.gateway.app
    .get(AccountCommands)
    .add(null, text, { key: `sk-planted-${index}`, [`field-${index}`]: text });
}

/** A whole conversation of such texts through the gateway. */
async function converse(text: string): Promise<void> {
  dashboard.stub.answerNextWith(answer({ pieces: [text], reasoning: [text] }));
  const response = await dashboard.gateway.post(
    { model: 'svc-max', messages: [{ role: 'user', content: text }] },
    { headers: { 'user-agent': 'x<script>pwned()</script>' } },
  );
  await response.text();
}

async function open(path: string): Promise<Page> {
  const page = await dashboard.open(path);
  await page.evaluate(`window.pwned = () => noteViolation('a text was run')`);
  return page;
}

/** Every planted text must be shown literally, and none may have become an element. */
async function expectOnlyTexts(page: Page, place = 'main'): Promise<void> {
  const text = await inPage<string>(page, `document.querySelector(${JSON.stringify(place)}).textContent`);
  expect(XSS_STRINGS.filter((planted) => !text.includes(planted))).toEqual([]);
  expect(await inPage(page, `document.querySelectorAll(${JSON.stringify(FOREIGN)}).length`)).toBe(0);
}

describe('texts from outside', () => {
  it('are nothing but texts in the log, unfolded', async () => {
    const page = await open('/logs');
    await page.waitForSelector('[data-entry="planted-0"]');
    await page.evaluate(`document.querySelectorAll('.entry').forEach((entry) => { entry.open = true; })`);
    await eventually(PATIENCE_MS, async () => {
      expect(await inPage(page, `document.querySelectorAll('.entry-detail').length`)).toBe(
        XSS_STRINGS.length + 3,
      );
    });
    await page.evaluate(
      `document.querySelectorAll('.entry-detail details').forEach((box) => { box.open = true; })`,
    );
    await seeText(page, '[data-entry="planted-0"] .raw', 'planted-0');
    await expectOnlyTexts(page);
  });

  it('are nothing but texts in the network inspector', async () => {
    const page = await open('/network');
    await page.waitForSelector('button.exchange');
    for (let index = 0; index < XSS_STRINGS.length; index += 8) {
      await page.goto(`${dashboard.gateway.origin}/dashboard/network?request=planted-${index}`);
      await click(page, 'button.exchange');
      await page.waitForSelector('#detail .headers');
      const shown = await inPage<string>(page, `document.querySelector('#detail').textContent`);
      expect(shown).toContain(XSS_STRINGS[index]);
    }
    expect(await inPage(page, `document.querySelectorAll(${JSON.stringify(FOREIGN)}).length`)).toBe(0);
  });

  it('are nothing but texts among the accounts, and in confirmations', async () => {
    const page = await open('/accounts');
    await page.waitForSelector('.account');
    await expectOnlyTexts(page, '.accounts');
    await click(page, '.account:last-child [data-action="remove"]');
    await seeText(page, '#confirm', XSS_STRINGS.at(-1) ?? '');
  });

  it('are nothing but texts on the overview', async () => {
    const page = await open('');
    await page.waitForSelector('#stream .entry-row');
    await page.waitForSelector('.glance');
    expect(await inPage(page, `document.querySelectorAll(${JSON.stringify(FOREIGN)}).length`)).toBe(0);
  });

  it('are nothing but texts in filters and settings', async () => {
    const text = XSS_STRINGS[5] ?? '';
    const filtered = await open(
      `/logs?q=${encodeURIComponent(text)}&model=${encodeURIComponent(text)}&id=${encodeURIComponent(text)}`,
    );
    await seeText(filtered, '#pinned', 'not in the log');
    const etag =
      (await fetch(`${dashboard.gateway.origin}/dashboard/api/settings`)).headers.get('etag') ?? '';
    const saved = await fetch(`${dashboard.gateway.origin}/dashboard/api/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': etag },
      body: JSON.stringify({ values: { UPSTREAM_MODEL: text } }),
    });
    expect(saved.status).toBe(200);
    const page = await open('/settings');
    await page.waitForFunction(
      `document.querySelector('#setting-UPSTREAM_MODEL')?.value === ${JSON.stringify(text)}`,
    );
    expect(await inPage(page, `document.querySelectorAll(${JSON.stringify(FOREIGN)}).length`)).toBe(0);
  });
});
