import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import {
  ACTION_FUNCTION,
  ACTION_SCRIPT,
  type ActionReport,
} from '../../tools/recipe/record/page/action-report.js';
import { findByRoleScript, type PageRole } from '../../tools/recipe/record/page/find-by-role.js';
import { lookScript, type PageLook } from '../../tools/recipe/record/page/look-at-page.js';

const LOGIN = `
  <form id="search-form"><input id="q" placeholder="Search"></form>
  <form><input id="tenant"><input id="mail" name="e-mail"><input id="secret" type="password">
    <button type="button" id="forgot">Forgot password?</button><button id="go">Sign in</button></form>`;
const CHAT = `
  <input id="q" placeholder="Search chats" style="width: 900px">
  <main><textarea id="box" style="width: 500px; height: 60px"></textarea><textarea hidden></textarea>
    <button id="add" aria-label="Attach file">+</button><button id="up" class="icon-arrow-up">↑</button></main>`;
const COVER = `${CHAT}<div role="dialog" style="position: fixed; inset: 0; background: white">
    <button id="close">Got it</button></div>`;

const SHADOW = `<chat-app><template shadowrootmode="open"><div><textarea id="box"></textarea></div>
    <button title="Send">↑</button></template></chat-app>`;

describe('scripts of recipe:record in a page', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: process.env.BROWSER_EXECUTABLE_PATH,
      args: ['--no-sandbox'],
      headless: 'shell',
    });
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  it.each<[PageRole, string, string | null]>([
    ['password', LOGIN, 'secret'],
    ['user', LOGIN, 'mail'],
    ['logIn', LOGIN, 'go'],
    ['password', CHAT, null],
    ['prompt', CHAT, 'box'],
    ['send', CHAT, 'up'],
    ['cover', CHAT, null],
    ['cover', COVER, 'close'],
    ['prompt', SHADOW, 'box'],
    ['cover', SHADOW, null],
    ['prompt', '<p>Nothing to enter.</p>', null],
  ])('find the element for the role %s, case %#', async (role, html, id) => {
    await page.setContent(html);
    const found = await page.evaluateHandle(findByRoleScript(role));
    const foundId: unknown = await found.evaluate((node) => (node as { id: string } | null)?.id ?? null);
    expect(foundId).toBe(id);
  });

  it.each<[string, string, string | null]>([
    [
      'by its class',
      '<div class="mine"><p>Say hi.</p></div><div class="row"><b>Bot</b><div class="theirs"><p>Hello there.</p></div></div>',
      '.theirs',
    ],
    [
      'by what is around it, where both are of one kind',
      '<p title="You"><i class="md">Say hi.</i></p><p title="Bot">You<br><i class="md">You said: Say hi. Hello!</i></p>',
      '[title="Bot"] .md',
    ],
    ['of which nothing tells the prompt', '<div><p>Say hi.</p><p>Hello there.</p></div>', null],
    ['that has not come', '<p class="mine">Say hi.</p>', null],
  ])('find the answer %s', async (_how, html, answer) => {
    await page.setContent(`<p class="old">Welcome</p>${html}<p class="md" hidden></p>`);
    const look = (await page.evaluate(lookScript('Say hi.', ['Welcome']))) as PageLook;
    expect(look.answer).toBe(answer);
    expect(look.text).toContain('Say hi.');
    expect(look.marks).toContain('.old');
  });

  it('report selectors that fit one element each', async () => {
    const reports: ActionReport[] = [];
    await page.setContent(`
      <section data-testid="list"><p><button>One</button><button>Two</button></p></section>
      ${SHADOW}<select id="llm" name="model"></select><textarea></textarea>
      <dialog open id="tour" style="position: fixed; top: 300px"><button title="Close">x</button></dialog>`);
    await page.exposeFunction(ACTION_FUNCTION, (report: string) => reports.push(JSON.parse(report) as never));
    await page.evaluate(ACTION_SCRIPT);
    await page.click('p button:nth-of-type(2)');
    await page.type('textarea', 'a');
    await page.click('chat-app >>> button');
    await page.click('dialog button');
    const last = (): ActionReport | undefined => reports.at(-1);
    while (last()?.isInDialog !== true) {
      await page.evaluate('0');
    }
    expect(reports.map(({ kind, selector }) => [kind, selector])).toEqual([
      ['click', 'section[data-testid="list"] > p > button:nth-of-type(2)'],
      ['input', 'textarea'],
      ['click', 'chat-app >>> button[title="Send"]'],
      ['click', '#tour[open] button[title="Close"]'],
    ]);
    expect(reports[1]).toMatchObject({ field: 'text', value: 'a', modelSelect: '#llm' });
  });
});
