/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { findings, keepPicture, keepViews } from '../support/browser/appearance.js';
import { DashboardBrowser, inPage, press, seeText } from '../support/browser/dashboard-browser.js';
import { HandOverScene } from '../support/browser/hand-over-scene.js';
import { RemoteChromium } from '../support/browser/remote-chromium.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { ProcessLog } from '../support/watch/process-watch.js';

/** Typed by the person; must be found nowhere. */
const CANARY = 'canary-KzT7wq';

let browser: DashboardBrowser | undefined;
let folder: string;
let scene: HandOverScene | undefined;

beforeAll(async () => {
  browser = await DashboardBrowser.start();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hand-over-'));
});
afterEach(async () => {
  await browser?.leave();
  await scene?.gateway.close();
  scene = undefined;
  await rm(folder, { recursive: true, force: true });
  expect(browser?.faults).toEqual([]);
});
afterAll(() => browser?.close());

/** A gateway whose first account meets the wall. */
async function atTheWall(settings: object = {}): Promise<HandOverScene> {
  scene = await HandOverScene.start(browser!, { DATA_DIR: folder, LOG_CONTENT: 'full', ...settings });
  await scene.wall();
  return scene;
}

/** Everything that the gateway has kept in its folder, as text. */
async function kept(): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

describe('a login by hand', () => {
  it('passes a code and a consent page, is kept over a restart, and leaves no trace of what was typed', async () => {
    const here = await atTheWall();
    const log = new ProcessLog();
    try {
      const page = await here.open();
      await here.begin(page);
      await here.pass(page, CANARY);
      await here.state('ready');
      const pages = [
        '/metrics',
        '/log/json?content=1',
        '/log/json?kind=network&content=1',
        '/dashboard/api/accounts',
      ];
      const told = await Promise.all(pages.map(async (path) => (await here.ask(path)).text()));
      expect(await here.audited()).toEqual([
        { action: 'account.hand_over', actor: 'API_KEY', subject: here.account.name, after: null },
        {
          action: 'account.hand_over_end',
          actor: 'API_KEY',
          subject: here.account.name,
          after: { outcome: 'logged_in', durationMs: expect.any(Number) },
        },
      ]);
      await here.gateway.close();
      expect(log.text).toContain('logged in by hand');
      expect([log.text, ...told, await kept()].filter((text) => text.includes(CANARY))).toEqual([]);
    } finally {
      log.stop();
    }
    const { name } = here.account;
    scene = await HandOverScene.start(browser!, { DATA_DIR: folder });
    await scene.settled();
    const before = { ok: 0, wrong: 0, locked: 0 };
    expect([scene.account.name, scene.driver.sandbox.logins.get(name)]).toEqual([name, before]);
  });

  it('works in a browser on another machine', async () => {
    const remote = await RemoteChromium.start();
    try {
      const here = await atTheWall({ BROWSER_ENDPOINTS: remote.endpoint });
      const page = await here.open();
      await here.begin(page);
      await here.pass(page, 'wrong');
      await here.state('ready');
      await here.gateway.close();
    } finally {
      scene = undefined;
      await remote.close();
    }
  });

  it('is for one operator at a time, and ends with the page of the operator', async () => {
    const here = await atTheWall();
    const page = await here.open();
    await here.begin(page);
    const second = await here.beginBare();
    expect([second.status, await second.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('one at a time') } },
    ]);
    const foreign = { handOver: 'other', inputs: [{ type: 'text', text: 'x' }] };
    const path = `/dashboard/api/accounts/${here.account.id}/hand-over/input`;
    expect((await here.ask(path, { method: 'POST', body: JSON.stringify(foreign) })).status).toBe(404);
    await page.close();
    await eventually(PATIENCE_MS, async () => {
      expect((await here.audited()).at(-1)).toMatchObject({ after: { outcome: 'left' } });
    });
    await here.state('login_required');
    await here.noSitePage('/login/code');
  });

  it('is accessible in light, in dark, and on a narrow screen', async () => {
    const here = await atTheWall();
    const page = await here.open();
    await seeText(page, `[data-entry="${here.account.id}"]`, 'The site needs a person: log in by hand.');
    await page.setViewport({ width: 1440, height: 1000 });
    await keepPicture(page, 'accounts-wall-light');
    expect(await findings(page)).toEqual([]);
    await here.begin(page);
    await keepViews(page, 'hand-over');
    // Most phones have no such keys.
    const site = await here.sitePage('/login/code');
    await here.clickAt(page, site, '#code');
    await page.keyboard.type('12');
    await press(page, '#hand-over', 'Erase');
    await site.waitForFunction(`document.querySelector('#code').value === '1'`);
    // Nobody is caught in the view: Tab leads out of it.
    await page.focus('.live-page');
    await page.keyboard.press('Tab');
    expect(await inPage(page, 'document.activeElement.id')).toBe('hand-over-text');
  });

  it('ends when another operator logs the account in', async () => {
    const here = await atTheWall();
    const page = await here.open();
    await here.begin(page);
    here.driver.sandbox.setFeatures({ loginCode: false, consent: false });
    await here.gateway.app.get(AccountCommands).login(null, here.account.id);
    await seeText(page, '#hand-over [role=status]', 'the account was changed meanwhile');
    await press(page, '#hand-over', 'Close');
    await here.state('ready');
  });
});
