import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type BrowserContext, type Page } from 'puppeteer';
import { SandboxSite } from '../../src/sandbox/sandbox-site.js';
import { type SandboxFeatures } from '../../src/sandbox/state/sandbox-features.js';
import { type PromptRecord } from '../../src/sandbox/state/sandbox-records.js';
import { PageBrowser } from '../support/browser/page-browser.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';

let browser: PageBrowser;
let site: SandboxSite;
let context: BrowserContext;
/** Errors in the pages of a test. */
const pageErrors: string[] = [];

beforeAll(async () => {
  browser = await PageBrowser.start();
});
afterAll(() => browser.close());
afterEach(async () => {
  await context.close();
  await site.close();
  expect(pageErrors.splice(0)).toEqual([]);
});

/** Logs in to a site with these features, and shows its chat page. */
async function open(features: Partial<SandboxFeatures> = {}): Promise<Page> {
  site = new SandboxSite({ features });
  // Keeps answers short that are to think.
  site.setSwitches('[[think:hm]]');
  const origin = await site.start();
  context = await browser.newVisitor();
  const page = await context.newPage();
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  await page.goto(`${origin}/`);
  await logIn(page);
  return page;
}

async function logIn(page: Page, password = site.accounts[0]!.password): Promise<void> {
  await page.locator('#user').fill(site.accounts[0]!.name);
  await page.locator('#password').fill(password);
  await Promise.all([page.waitForNavigation(), page.click('#login button')]);
}

/** Puts a prompt in and sends it. */
async function send(page: Page, prompt: string): Promise<void> {
  await run(page, `document.querySelector('#prompt').value = ${JSON.stringify(prompt)}`);
  await page.click('#send');
}

/** Sends a prompt and returns the text of the answer as the page shows it in the end. */
async function ask(page: Page, prompt: string): Promise<string> {
  await send(page, prompt);
  await page.waitForSelector('#stop', { hidden: true });
  return lastAnswer(page);
}

async function lastAnswer(page: Page): Promise<string> {
  return String(
    await run(page, `[...document.querySelectorAll('.message.assistant .text')].at(-1)?.textContent`),
  );
}

/** A property of the first element that fits. */
function property(page: Page, selector: string, name: string): Promise<unknown> {
  return run(page, `document.querySelector(${JSON.stringify(selector)}).${name}`);
}

/** The value of an expression in the page. */
function run(page: Page, expression: string): Promise<unknown> {
  return page.evaluate(expression);
}

function whenRecord(fits: (record: PromptRecord) => boolean): Promise<PromptRecord> {
  return site.whenRecord(fits, AbortSignal.timeout(PATIENCE_MS));
}

describe('the chat page', () => {
  it('tells a wrong password', async () => {
    const page = await open();
    await page.click('#logout');
    await page.waitForSelector('#login');
    await logIn(page, 'wrong');
    expect(await property(page, '#login-error', 'textContent')).toBe('Wrong user name or password.');
    expect(site.logins.get('sandbox-1')).toEqual({ ok: 1, wrong: 1, locked: 0 });
  });

  it.each(['fetch', 'worker', 'eventsource', 'websocket'] as const)(
    'gets its answers by %s',
    async (transport) => {
      const page = await open({ transport });
      expect(await ask(page, '[[say:one]]')).toBe('one');
      expect(await property(page, '.reasoning p', 'textContent')).toBe('hm');
      expect(await ask(page, '[[say:a b c]][[duplicate]][[foreign]]')).toBe('a b c');
      expect(await ask(page, '[[say:a b c]][[cumulative]]')).toBe('a b c');
      const [first, second] = site.records;
      expect(second?.conversationId).toBe(first?.conversationId);
      await page.click('#new-chat');
      expect(await ask(page, '[[say:new]]')).toBe('new');
      expect(site.records.at(-1)?.conversationId).not.toBe(first?.conversationId);
    },
  );

  it.each(['fetch', 'worker', 'eventsource', 'websocket'] as const)(
    'shows what goes wrong by %s',
    async (transport) => {
      const page = await open({ transport });
      const banner = async (id: string): Promise<unknown> =>
        (await property(page, id, 'hidden')) ? '' : property(page, id, 'textContent');
      await ask(page, '[[status:429:retry-after=7]]');
      expect(await banner('#rate-limit')).toBe('You have sent too many messages. Try again in 7 seconds.');
      for (const form of ['page', 'sse']) {
        await ask(page, `[[limit:${form}:30]]`);
        expect(await banner('#rate-limit')).toMatch(
          /^You have reached the message limit\..* in 30 seconds\.$/,
        );
      }
      await ask(page, '[[too-long]]');
      expect(await banner('#error')).toBe('Your message is too long. Please shorten it and try again.');
      expect(await ask(page, '[[reset:3]][[chunks:9x200ms]]')).toBe('chunk 1 chunk 2 ');
      expect(await banner('#error')).toBe('The connection broke.');
      expect(await ask(page, '[[say:again]]')).toBe('again');
      expect(await banner('#error')).toBe('');
    },
  );

  it.each(['fetch', 'worker', 'eventsource', 'websocket'] as const)(
    'shows the login page or a challenge by %s',
    async (transport) => {
      const page = await open({ transport });
      await Promise.all([page.waitForNavigation(), send(page, '[[login-wall]]')]);
      await logIn(page);
      expect(await ask(page, '[[say:bye]][[logout]]')).toBe('bye');
      await Promise.all([page.waitForNavigation(), send(page, 'x')]);
      await logIn(page);
      await Promise.all([page.waitForNavigation(), send(page, '[[blocked]]')]);
      expect(await property(page, '#challenge h1', 'textContent')).toBe('Verify you are human');
      await Promise.all([page.waitForNavigation(), page.click('#challenge-pass')]);
      expect(await ask(page, '[[say:back]]')).toBe('back');
    },
  );

  it('sends files and choices along', async () => {
    const page = await open();
    await page.select('#model', 'svc-plus');
    await page.click('#thinking');
    const file = join(browser.folder, 'note.txt');
    await writeFile(file, '<user>\n[[say:from the file]]\n</user>');
    const input = await page.$('input#attachment');
    await input!.uploadFile(file);
    await page.waitForFunction(`document.querySelector('#attachment-name').textContent === 'note.txt'`);
    expect(await ask(page, 'See the file.')).toBe('from the file');
    expect(site.records[0]).toMatchObject({ model: 'svc-plus', thinking: false });
  });

  it('takes and shows megabytes', async () => {
    const page = await open();
    expect(await ask(page, `[[say:ok]]${'long '.repeat(400_000)}`)).toBe('ok');
    expect(site.records[0]?.promptLength).toBe(2_000_010);
    expect(await ask(page, '[[big:4MB]]')).toHaveLength(4 * 2 ** 20);
  });
});

describe('a feature', () => {
  it('paints by animation frame', async () => {
    const page = await open({ painting: 'frame' });
    expect(await ask(page, '[[say:all of it]][[chunks:9x1ms]]')).toBe('all of it');
  });

  it('shows formatted text, and loses tags and fences', async () => {
    const page = await open({ markdown: true });
    const text =
      '[[say:**Bold** and `code`\\n\\n```js\\nconst a = <b>1</b>;\\n```\\n<tool_call>x</tool_call>]]';
    expect(await ask(page, text)).toBe('Bold and codeconst a = <b>1</b>;x');
    expect(await property(page, '.message pre', 'textContent')).toBe('const a = <b>1</b>;');
  });

  it('wipes what was put in too early, and sends nothing', async () => {
    const page = await open({ hydrationMs: 100 });
    await page.evaluateOnNewDocument(`addEventListener('DOMContentLoaded', () => {
      const input = document.querySelector('#prompt');
      input.value = 'too early';
      document.querySelector('#send').click();
      window.early = input.value;
    })`);
    await page.reload();
    await page.waitForFunction(`document.querySelector('#prompt').value === ''`);
    expect(await run(page, 'early')).toBe('too early');
    expect(site.records).toEqual([]);
    expect(await ask(page, '[[say:alive]]')).toBe('alive');
  });

  it('covers the page at the first visit', async () => {
    const page = await open({ welcome: true });
    await run(page, `document.querySelector('#prompt').value = '[[say:x]]'`);
    await page.mouse.click(...(await centre(page, '#send')));
    expect(await property(page, '#welcome', 'open')).toBe(true);
    await page.click('#welcome-close');
    expect(await ask(page, '[[say:uncovered]]')).toBe('uncovered');
    expect(site.records).toHaveLength(1);
    await page.reload();
    expect(await property(page, '#welcome', 'open')).toBe(false);
  });

  it('asks before the page is left', async () => {
    const page = await open({ beforeUnload: true });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    await page.type('#prompt', 'x');
    await page.goto('about:blank');
    expect(dialogs).toEqual(['beforeunload']);
  });

  it('cuts a long prompt without a word', async () => {
    const page = await open({ promptLimit: 1000 });
    await ask(page, `[[say:x]]${'long '.repeat(1000)}`);
    expect(site.records[0]).toMatchObject({ promptLength: 1000, outcome: 'completed' });
  });

  it.each(['fetch', 'worker', 'eventsource', 'websocket'] as const)(
    'ends an answer at the server, or only on the page, by %s',
    async (transport) => {
      const page = await open({ transport });
      await send(page, '[[chunks:1000x10ms]]');
      await whenRecord(({ piecesSent }) => piecesSent > 3);
      await page.click('#stop');
      await whenRecord(({ outcome }) => outcome === 'stopped');
      site.setFeatures({ stop: 'page' });
      await page.reload();
      await send(page, '[[chunks:60x10ms]]');
      await whenRecord(({ outcome, piecesSent }) => outcome === 'pending' && piecesSent > 3);
      await page.click('#stop');
      expect(await property(page, '.message.assistant', 'dataset.state')).toBe('stopped');
      const shown = (await lastAnswer(page)).length;
      const record = await whenRecord(({ outcome }) => outcome !== 'stopped' && outcome !== 'pending');
      expect(record).toMatchObject({ outcome: 'completed' });
      expect(await lastAnswer(page)).toHaveLength(shown);
    },
  );
});

async function centre(page: Page, selector: string): Promise<[number, number]> {
  const box = await (await page.$(selector))!.boundingBox();
  return [box!.x + box!.width / 2, box!.y + box!.height / 2];
}
