import { expect } from '@jest/globals';
import { type Page } from 'puppeteer';
import { SessionPool } from '../../../src/accounts/pool/session-pool.js';
import { AccountCommands } from '../../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../../src/accounts/registry/account-registry.js';
import { type Settings } from '../../../src/common/config/settings.js';
import { type SandboxDriver } from '../../../src/upstream/sandbox-driver.js';
import { UpstreamDriver } from '../../../src/upstream/upstream-driver.js';
import { type BrowserFleet } from '../../../src/upstream/web/browser/browser-fleet.js';
import { startGateway, type TestGateway } from '../gateway/gateway.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { type DashboardBrowser, inPage, press, seeText } from './dashboard-browser.js';

const OPERATOR_KEY = 'key-of-the-operator';

/** The gateway with its sandbox, and an operator's browser before its dashboard. */
export class HandOverScene {
  private constructor(
    readonly gateway: TestGateway,
    readonly driver: SandboxDriver,
    readonly browser: DashboardBrowser,
  ) {}

  static async start(browser: DashboardBrowser, settings: Partial<Settings>): Promise<HandOverScene> {
    const gateway = await startGateway({ API_KEY: OPERATOR_KEY, ...settings });
    return new HandOverScene(gateway, gateway.app.get<SandboxDriver>(UpstreamDriver), browser);
  }

  /** Waits until every account is logged in. */
  async settled(): Promise<void> {
    await eventually(PATIENCE_MS, () => {
      const cold = this.gateway.app
        .get(AccountRegistry)
        .list()
        .filter(({ id }) => !this.gateway.app.get(SessionPool).stats().accounts[id]?.sessions);
      expect(cold).toEqual([]);
    });
  }

  /** The first account meets a code and a consent page, and is out of use. */
  async wall(): Promise<void> {
    // The other two would meet the wall as well.
    await this.settled();
    this.driver.sandbox.setFeatures({ loginCode: true, consent: true });
    await this.gateway.app.get(AccountCommands).login(null, this.account.id);
    await this.state('login_required');
  }

  get account() {
    return this.gateway.app.get(AccountRegistry).list()[0]!;
  }

  async state(wanted: string): Promise<void> {
    await eventually(PATIENCE_MS, () => {
      expect([this.account.stateAt(performance.now()), this.account.loginFailure?.fault]).toEqual([
        wanted,
        wanted === 'ready' ? undefined : 'blocked',
      ]);
    });
  }

  /** The page of the accounts. */
  open(): Promise<Page> {
    return this.browser.open(this.gateway.origin, { path: '/accounts', key: OPERATOR_KEY });
  }

  /** Begins a login by hand, and waits until the page is the person's. */
  async begin(page: Page): Promise<void> {
    await press(page, `[data-entry="${this.account.id}"]`, 'Log in by hand');
    await seeText(page, '#hand-over [role=status]', 'It is yours');
    await page.waitForFunction(`document.querySelector('.live-page img').naturalWidth > 0`);
  }

  /** Passes the code and the consent. @param typo typed first in place of the code */
  async pass(page: Page, typo: string): Promise<void> {
    const site = await this.sitePage('/login/code');
    await this.clickAt(page, site, '#code');
    await page.keyboard.type(typo);
    await page.keyboard.press('Enter');
    await site.waitForFunction(
      `document.querySelector('#code-error')?.textContent === 'This is not the code.'`,
    );
    const code = await inPage<string>(site, `/code is (\\d+)/.exec(document.body.textContent)[1]`);
    await this.clickAt(page, site, '#code');
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await this.clickAt(page, await this.sitePage('/login/consent'), '#consent-accept');
    await seeText(page, '#hand-over [role=status]', 'Logged in.');
  }

  /** Asks the dashboard's API as the operator. */
  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.gateway.origin}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
    });
  }

  /** Begins a login by hand without a page. */
  beginBare(): Promise<Response> {
    return this.ask(`/dashboard/api/accounts/${this.account.id}/hand-over`, { method: 'POST' });
  }

  /** Audited hand-over actions of operators, oldest first. */
  async audited(): Promise<readonly unknown[]> {
    const { actions } = (await (await this.ask('/dashboard/api/audit')).json()) as {
      actions: { action: string; actor: string; subject: string; after: object | null }[];
    };
    return actions
      .filter(({ action }) => action.startsWith('account.hand_over'))
      .map(({ action, actor, subject, after }) => ({ action, actor, subject, after }))
      .reverse();
  }

  /** The page of the site that the person sees. */
  sitePage(path: string): Promise<Page> {
    return eventually(PATIENCE_MS, async () => {
      const page = (await this.sitePages()).find((candidate) => new URL(candidate.url()).pathname === path);
      if (!page) {
        throw new Error(`No page is at ${path}.`);
      }
      return page;
    });
  }

  /** Waits until no page of the site is at a path. */
  async noSitePage(path: string): Promise<void> {
    await eventually(PATIENCE_MS, async () => {
      const urls = (await this.sitePages()).map((page) => page.url());
      expect(urls.filter((url) => new URL(url).pathname === path)).toEqual([]);
    });
  }

  private async sitePages(): Promise<Page[]> {
    const { fleet } = this.driver as unknown as { fleet: BrowserFleet };
    const { browser } = await fleet.browser(this.account.id);
    const contexts = browser.browserContexts();
    return (await Promise.all(contexts.map((context) => context.pages()))).flat();
  }

  /** Clicks, in the live view, at the middle of an element of the site's page. */
  async clickAt(view: Page, site: Page, selector: string): Promise<void> {
    const box = await (await site.waitForSelector(selector))!.boundingBox();
    const { width } = await inPage<{ width: number }>(site, '({ width: innerWidth })');
    const shown = (await (await view.$('.live-page img'))!.boundingBox())!;
    const scale = shown.width / width;
    await view.mouse.click(
      shown.x + (box!.x + box!.width / 2) * scale,
      shown.y + (box!.y + box!.height / 2) * scale,
    );
  }
}
