import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Page } from 'puppeteer';
import { AccountRegistry } from '../../../src/accounts/registry/account-registry.js';
import { type Settings } from '../../../src/common/config/settings.js';
import { StubGateway } from '../gateway/stub-gateway.js';
import { type OpenAiStub } from '../upstream/openai-stub.js';
import { answer } from '../upstream/openai-stub-plans.js';
import { DashboardBrowser, type PageOptions } from './dashboard-browser.js';

/** A gateway with a scripted upstream, and a browser for its dashboard. Usable from the first hook or test on. */
export class Dashboard {
  private running: { readonly gateway: StubGateway; readonly browser: DashboardBrowser } | undefined;

  constructor(private readonly settings: Partial<Settings>) {}

  get gateway(): StubGateway {
    return this.started.gateway;
  }

  get browser(): DashboardBrowser {
    return this.started.browser;
  }

  get stub(): OpenAiStub {
    return this.gateway.stub;
  }

  /** Options of a request with the gateway's key. */
  get withKey(): { readonly headers: Readonly<Record<string, string>> } {
    const { API_KEY } = this.settings;
    return { headers: API_KEY === undefined ? {} : { authorization: `Bearer ${API_KEY}` } };
  }

  /** Selector of the card of an account, by its name. */
  card(name: string): string {
    const accounts = this.gateway.app.get(AccountRegistry).list();
    return `[data-entry="${accounts.find((account) => account.name === name)?.id}"]`;
  }

  /** Opens a page as a new visitor, with the gateway's key unless another one is given. */
  open(path = '', options: Omit<PageOptions, 'path'> = {}): Promise<Page> {
    return this.browser.open(this.gateway.origin, { path, key: this.settings.API_KEY, ...options });
  }

  async start(): Promise<void> {
    const [gateway, browser] = await Promise.allSettled([
      StubGateway.start(this.settings),
      DashboardBrowser.start(),
    ]);
    if (gateway.status === 'fulfilled' && browser.status === 'fulfilled') {
      gateway.value.stub.answerWith(answer());
      this.running = { gateway: gateway.value, browser: browser.value };
      return;
    }
    for (const part of [gateway, browser]) {
      await (part.status === 'fulfilled' ? part.value.close() : undefined);
    }
    throw [gateway, browser].find((part) => part.status === 'rejected')?.reason;
  }

  async close(): Promise<void> {
    await this.running?.browser.close();
    await this.running?.gateway.close();
  }

  private get started() {
    if (!this.running) {
      throw new Error('The dashboard is started by a hook: use it in hooks and tests only.');
    }
    return this.running;
  }
}

/**
 * Starts a dashboard for the tests of a file. After each test its pages are closed, and none of them may have had a script
 * error, a policy violation or a request to elsewhere.
 */
export function useDashboard(settings: Partial<Settings> = {}): Dashboard {
  const dashboard = new Dashboard(settings);
  beforeAll(() => dashboard.start());
  afterEach(async () => {
    await dashboard.browser.leave();
    expect(dashboard.browser.faults).toEqual([]);
  });
  afterAll(() => dashboard.close());
  return dashboard;
}
