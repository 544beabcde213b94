import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type HTTPRequest, type Page } from 'puppeteer';
import { keepViews } from '../support/browser/appearance.js';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { readBody } from '../support/gateway/read-body.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { answer, chunk, failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { withinOneDay } from '../support/watch/one-day.js';

const KEY = 'key-of-the-operator';
const USAGE = { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 };
const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url));

const dashboard = useDashboard({ API_KEY: KEY, API_KEYS: 'nightly:key-of-the-nightly-job' });

const ask = async (key: string): Promise<number> => {
  const response = await dashboard.gateway.post(
    { ...ASK, stream: false },
    { headers: { authorization: `Bearer ${key}` } },
  );
  await response.text();
  return response.status;
};

/** A stream that has begun, and ends once the upstream is let go on. */
async function begin(
  key: string,
): Promise<{ readonly body: ReturnType<typeof readBody>; readonly goOn: () => void }> {
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>();
  dashboard.stub.answerWith(async (reply) => {
    await reply.event(chunk({ content: 'Begun ' }));
    await released;
    await answer({ pieces: ['and done.'] })(reply);
  });
  const headers = { authorization: `Bearer ${key}` };
  const response = await dashboard.gateway.post({ ...ASK, stream: true }, { headers });
  return { body: readBody(response), goOn };
}

/** Has a page show a key that somebody else makes. */
async function makeElsewhere(page: Page, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name });
  await fetch(`${dashboard.gateway.origin}/dashboard/api/keys`, { method: 'POST', headers, body });
  await inPage(page, `document.dispatchEvent(new Event('visibilitychange'))`);
  await page.waitForSelector(`#list [aria-label="Revoke ${name}"]`);
}

/** Revokes a key on its page, with what becomes of its answers under way. */
async function revoke(page: Page, name: string, running: 'end' | 'finish'): Promise<void> {
  await click(page, `[aria-label="Revoke ${name}"]`);
  await page.waitForSelector('#key-form');
  await page.select('#key-form [name="running"]', running);
  await click(page, '#key-form [type="submit"]');
  await page.waitForSelector('#key-form', { hidden: true });
}

/** Fills the form for a new key, and reads the secret that is then shown. */
async function make(page: Page, fields: Readonly<Record<string, string>>): Promise<string> {
  await click(page, '#add');
  for (const [name, value] of Object.entries(fields)) {
    await page.locator(`#key-form [name="${name}"]`).fill(value);
  }
  await click(page, '#key-form [type="submit"]');
  await page.waitForSelector('#new-secret');
  return inPage<string>(page, `document.querySelector('#new-secret').textContent`);
}

describe('the page of keys', () => {
  beforeAll(() => mkdir(FOLDER, { recursive: true }));
  beforeEach(withinOneDay);

  it('changes and removes one limit of a key, and leaves the others and the end of the key as they are', async () => {
    const page = await dashboard.open('/keys', { width: 1360 });
    await page.waitForSelector('.key-row');
    await make(page, { name: 'eve', tokensPerDay: '1000', concurrentRequests: '3' });
    await click(page, '#key-form button.primary');
    const path = `${dashboard.gateway.origin}/dashboard/api/keys`;
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const expiresAt = Date.now() + 3_600_000;
    await fetch(`${path}/eve`, { method: 'PATCH', headers, body: JSON.stringify({ expiresAt }) });
    await page.reload();
    await click(page, '[aria-label="Limits eve"]');
    await page.locator('#key-form [name="requestsPerMinute"]').fill('7');
    await inPage(page, `document.querySelector('#key-form [name="tokensPerDay"]').value = ''`);
    await click(page, '#key-form [type="submit"]');
    await seeText(page, '#list', '7 requests a minute');
    const { keys } = (await (await fetch(path, { headers })).json()) as {
      keys: { name: string }[];
    };
    expect(keys.find(({ name }) => name === 'eve')).toMatchObject({
      requestsPerMinute: 7,
      concurrentRequests: 3,
      tokensPerDay: null,
      expiresAt,
    });
    await revoke(page, 'eve', 'end');
  });

  it.each([
    ['tokensPerDay', '1e', 'This is no number.'],
    ['expiresAt', '02', 'This is no date.'],
  ])('saves nothing while the text of a field cannot be read: %s', async (name, text, problem) => {
    const page = await dashboard.open('/keys');
    await click(page, '#add');
    await page.locator('#key-form [name="name"]').fill('mistyped');
    await page.focus(`#key-form [name="${name}"]`);
    await page.keyboard.type(text);
    await click(page, '#key-form [type="submit"]');
    await page.waitForSelector(`#key-form [name="${name}"][aria-invalid="true"]:focus`);
    expect(await textOf(page, '#key-form .field-error')).toBe(problem);
    await page.keyboard.press('Escape');
    await page.waitForSelector('#key-form', { hidden: true });
    await page.reload();
    await page.waitForSelector('.key-row');
    expect(await textOf(page, '#list')).not.toContain('mistyped');
  });

  it('makes a key, shows its usage, limits and revokes it, and lists what was done', async () => {
    dashboard.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
    const page = await dashboard.open('/keys', { width: 1360 });
    await page.waitForSelector('.key-row');
    const secret = await make(page, { name: 'ann', tokensPerDay: '1000000' });
    await click(page, '#key-form button.primary');
    await seeText(page, '#list', `${secret.slice(0, 10)}…`);
    expect(await page.content()).not.toContain(secret);

    expect(await ask(secret)).toBe(200);
    await page.reload();
    await seeText(page, '#usage', '1,200');

    await click(page, '[aria-label="Limits ann"]');
    await page.locator('#key-form [name="requestsPerMinute"]').fill('1');
    await click(page, '#key-form [type="submit"]');
    await seeText(page, '#list', '1 request a minute');
    expect([await ask(secret), await ask(secret)]).toEqual([200, 429]);

    await page.screenshot({ path: join(FOLDER, 'keys-light.png'), fullPage: true });
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
    const findings = await inPage<{ violations: { id: string; impact: string }[] }>(page, 'axe.run()');
    expect(findings.violations.map(({ id }) => id)).toEqual([]);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await page.screenshot({ path: join(FOLDER, 'keys-dark.png'), fullPage: true });

    await revoke(page, 'ann', 'end');
    await seeText(page, '#list', 'revoked');
    expect(await ask(secret)).toBe(401);
    await seeText(page, '#audit', 'revoked a key');
    await page.setViewport({ width: 390, height: 800 });
    await page.screenshot({ path: join(FOLDER, 'keys-narrow.png'), fullPage: true });

    await page.goto(`${dashboard.gateway.origin}/dashboard/logs`);
    await click(page, '#more-filters > summary');
    await page.waitForSelector('[name="key"] option[value="ann"]');
    await page.select('[name="key"]', 'ann');
    // Two were answered, and one was beyond the limit; a revoked key is a stranger's.
    await seeText(page, '#summary', '3 requests shown');
    expect(page.url()).toContain('?key=ann');
    await seeText(page, '.entry .caller', 'ann');
    await click(page, '.entry > summary');
    await page.waitForSelector('.entry-detail .facts a[href="/dashboard/keys?key=ann"]');
  });

  it('rotates a key by the keyboard, with an overlap or without', async () => {
    dashboard.stub.answerWith(answer());
    const page = await dashboard.open('/keys');
    const first = await make(page, { name: 'rita' });
    await click(page, '#key-form button.primary');
    const rotate = async (choice = ''): Promise<string> => {
      await page.waitForSelector('#key-form', { hidden: true });
      await page.waitForSelector('[aria-label="Rotate rita"]', { timeout: PATIENCE_MS });
      await page.focus('[aria-label="Rotate rita"]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#key-form [name="overlapMs"]:focus');
      await page.keyboard.type(choice);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#new-secret');
      const secret = await inPage<string>(page, `document.querySelector('#new-secret').textContent`);
      await page.focus('#key-form button.primary');
      await page.keyboard.press('Enter');
      return secret;
    };
    const second = await rotate();
    expect([await ask(first), await ask(second)]).toEqual([200, 200]);
    const third = await rotate('not');
    expect([await ask(first), await ask(second), await ask(third)]).toEqual([401, 401, 200]);
    await seeText(page, '#audit', 'overlap: 0 ms');
  });

  it('disables a key after a question, below which a refusal stays to be read, and enables it', async () => {
    const page = await dashboard.open('/keys');
    const secret = await make(page, { name: 'paused' });
    await click(page, '#key-form button.primary');
    await page.setRequestInterception(true);
    const refuse = (request: HTTPRequest): void =>
      request.method() === 'PATCH'
        ? void request.respond({ status: 400, body: '{"error":{"message":"Nobody could operate it."}}' })
        : void request.continue();
    page.on('request', refuse);
    await click(page, '[aria-label="Disable paused"]');
    await click(page, '#key-form [type="submit"]');
    await seeText(page, '#key-form .field-error', 'Nobody could operate it.');
    page.off('request', refuse);
    await page.setRequestInterception(false);
    await click(page, '#key-form [type="submit"]');
    await page.waitForSelector('[data-name="paused"]:focus');
    expect(await ask(secret)).toBe(401);
    await click(page, '[aria-label="Enable paused"]');
    await page.waitForSelector('[aria-label="Disable paused"]');
    expect(await ask(secret)).toBe(200);
  });

  it('shows the secret also where the dialog is to be closed while the key is made', async () => {
    const page = await dashboard.open('/keys');
    await click(page, '#add');
    await page.locator('#key-form [name="name"]').fill('hasty');
    const { promise: making, resolve } = Promise.withResolvers<HTTPRequest>();
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.method() === 'POST' ? resolve(request) : void request.continue(),
    );
    await click(page, '#key-form [type="submit"]');
    const request = await making;
    expect(await inPage(page, `document.querySelectorAll('#key-form button:disabled').length`)).toBe(2);
    await inPage(
      page,
      `window.closings = 0;
       document.querySelector('#key-form').addEventListener('close', () => (closings += 1), { capture: true });`,
    );
    for (const times of [1, 2]) {
      await page.keyboard.press('Escape');
      await page.waitForFunction(`closings === ${times} && document.querySelector('#key-form').open`);
    }
    await request.continue();
    await page.waitForSelector('#new-secret');
    await page.keyboard.press('Escape');
    await page.waitForFunction(`closings === 3 && document.querySelector('#key-form').open`);
    await click(page, '#key-form button.primary');
    await page.waitForSelector('#key-form', { hidden: true });
  });

  it('keeps the focus, a selection and the places of its tables when it is refreshed', async () => {
    const page = await dashboard.open('/keys', { width: 390 });
    await make(page, { name: 'watched' });
    await click(page, '#key-form button.primary');
    await page.waitForSelector('#audit .table-box');
    const kept = `[[...document.querySelectorAll('.table-box')].map((box) => box.scrollLeft), String(getSelection())]`;
    await inPage(
      page,
      `document.querySelectorAll('.table-box').forEach((box) => {
         box.scrollLeft = 40;
       });
       document.querySelector('#audit .table-box').focus();
       getSelection().selectAllChildren(document.querySelector('.key-row code'));`,
    );
    const before = await inPage(page, kept);
    expect(before).toEqual([expect.arrayContaining([40]), expect.stringMatching(/^gwk_/)]);
    await makeElsewhere(page, 'of-somebody-else');
    expect(await inPage(page, kept)).toEqual(before);
    expect(await inPage(page, `document.activeElement.closest('#audit')?.id`)).toBe('audit');
  });

  it('shows the keys also while what operators did cannot be read', async () => {
    const page = await dashboard.open('/keys');
    await page.waitForSelector('.key-row');
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isAudit = request.url().includes('/api/audit');
      void (isAudit
        ? request.respond({ status: 500, body: '{"error":{"message":"It cannot be read."}}' })
        : request.continue());
    });
    await page.reload();
    await page.waitForSelector('.key-row');
    await seeText(page, '#audit', 'It cannot be read.');
  });

  it('does nothing when the question is left, and gives the focus back, also to a table drawn anew', async () => {
    const page = await dashboard.open('/keys');
    await make(page, { name: 'kept' });
    await click(page, '#key-form button.primary');
    await click(page, '[aria-label="Revoke kept"]');
    await page.waitForSelector('#key-form [name="running"]:focus');
    await makeElsewhere(page, 'beside-it');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#key-form', { hidden: true });
    await page.waitForSelector('[aria-label="Revoke kept"]:focus');
    await page.reload();
    await page.waitForSelector('[aria-label="Revoke kept"]');
  });

  it.each(['end', 'finish'] as const)('revokes a key whose running answer is to %s', async (running) => {
    const page = await dashboard.open('/keys');
    const secret = await make(page, { name: `may-${running}` });
    await click(page, '#key-form button.primary');
    const { body, goOn } = await begin(secret);
    await revoke(page, `may-${running}`, running);
    expect(await ask(secret)).toBe(401);
    if (running === 'finish') {
      goOn();
    }
    const { text, isWhole } = await body;
    expect(text).toContain('Begun ');
    expect([isWhole, text.includes('[DONE]')]).toEqual(running === 'finish' ? [true, true] : [false, false]);
    goOn();
  });

  it('names the days of the chart as they are counted, wherever the operator is', async () => {
    const page = await dashboard.open('/keys', { width: 1360 });
    await page.evaluateOnNewDocument(`{
      const { fillText } = CanvasRenderingContext2D.prototype;
      globalThis.drawn = {};
      CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
        globalThis.drawn[text] = x;
        return fillText.call(this, text, x, ...rest);
      };
    }`);
    const placesIn = async (zone: string): Promise<object> => {
      await page.emulateTimezone(zone);
      await page.reload();
      await page.waitForSelector('#usage-chart .u-over');
      return eventually(PATIENCE_MS, async () => {
        const places = await inPage<object>(page, 'drawn');
        expect(Object.keys(places).some((text) => /^[A-Z][a-z]{2} \d\d$/.test(text))).toBe(true);
        return places;
      });
    };
    const places = await placesIn('UTC');
    expect(await placesIn('America/Los_Angeles')).toEqual(places);
    expect(await placesIn('Pacific/Auckland')).toEqual(places);
  });

  it('adds usage up by key, model, account or day', async () => {
    dashboard.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
    expect(await ask(KEY)).toBe(200);
    const page = await dashboard.open('/keys');
    await seeText(page, '#usage', 'API_KEY');
    for (const [by, head, name] of [
      ['model', 'Model', /svc-max/],
      ['account', 'Account', /key-\w+ /],
      ['day', 'Day (UTC)', /\d{4}-\d\d-\d\d/],
      ['key', 'Key', /API_KEY/],
    ] as const) {
      await page.select('#usage-by', by);
      const heads = `${head} Requests Not served Tokens in Tokens out Cached Reasoning Characters saved Waited Share`;
      await eventually(PATIENCE_MS, async () => {
        const shown = await textOf(page, '#usage');
        expect(shown).toContain(heads);
        expect(shown).toMatch(name);
      });
    }
    await page.select('#usage-by', 'day');
    await seeText(page, '#usage', 'Day (UTC)');
    for (const link of ['#usage td a', '.key-row a[href$="=API_KEY"]']) {
      await Promise.all([page.waitForNavigation(), click(page, link)]);
      await page.waitForSelector('[data-entry]');
      await page.goBack();
      await page.waitForSelector(link);
    }
  });

  it('shows what one key has used of its limits, its usage, and its last requests, failures and refusals', async () => {
    const page = await dashboard.open('/keys', { width: 1360 });
    await page.waitForSelector('.key-row');
    const secret = await make(page, { name: 'dan', requestsPerMinute: '2', tokensPerDay: '1000000' });
    await click(page, '#key-form button.primary');
    dashboard.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
    expect(await ask(secret)).toBe(200);
    dashboard.stub.answerWith(failed(400, { message: 'Too long.' }));
    expect([await ask(secret), await ask(secret)]).toEqual([400, 429]);
    await ask(KEY);

    await page.reload();
    await seeText(page, '#summary', 'at a limit: dan');
    await Promise.all([page.waitForNavigation(), click(page, '.key-row a[href="/dashboard/keys?key=dan"]')]);
    await seeText(page, '#list', '2 of 2 requests a minute 1,234 of 1,000,000 tokens a day');
    expect(await inPage(page, `document.querySelectorAll('.key-row').length`)).toBe(1);
    await seeText(page, '#usage-chart', 'svc-max1,234');
    expect(await textOf(page, '#usage')).toMatch(/^(?!.*API_KEY).*100 %/s);
    const outcomes = `[...document.querySelectorAll('#requests section')].map((list) =>
      [...list.querySelectorAll('[data-entry]')].map(({ dataset }) => dataset.outcome).join(' '))`;
    await eventually(PATIENCE_MS, async () =>
      expect(await inPage(page, outcomes)).toEqual([
        'rate_limited client_error ok',
        'client_error',
        'rate_limited',
      ]),
    );
    await keepViews(page, 'key');
    await Promise.all([page.waitForNavigation(), click(page, '#requests [data-entry]')]);
    await seeText(page, '#pinned .entry-detail', "The key 'dan' may send 2 requests a minute.");
    await seeText(page, '#pinned .entry-detail', 'it was refused before it was read');
    await Promise.all([page.waitForNavigation(), click(page, '.entry-detail .facts a[href$="key=dan"]')]);
    await page.waitForSelector('#requests [data-entry]');
    await Promise.all([page.waitForNavigation(), click(page, '#requests section:nth-child(2) h2 + a')]);
    await page.waitForSelector('.entry');
    expect(await inPage(page, 'location.search')).toBe('?operation=completion&status=failed&key=dan');
  });

  it("asks for an operator's key where a caller's was given", async () => {
    const page = await dashboard.open('/keys', { key: undefined });
    await page.waitForSelector('#key-input');
    await page.locator('#key-input').fill('key-of-the-nightly-job');
    await page.keyboard.press('Enter');
    await seeText(page, '#list', "Another key is needed This needs an operator's key.");
    await press(page, '#list', 'Enter another key');
    await page.locator('#key-input').fill(KEY);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.key-row');
  });

  it.each([
    ['/keys', '#list'],
    ['/settings', '#groups'],
  ])("asks for another key where a caller's is in use: %s", async (path, place) => {
    const page = await dashboard.open(path, { key: undefined });
    await page.evaluate(`sessionStorage.setItem('gateway-key', 'key-of-the-nightly-job')`);
    await page.reload();
    await seeText(page, place, "Another key is needed This needs an operator's key.");
    await press(page, place, 'Enter another key');
    await page.waitForSelector('#key-input');
  });
});
