import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { type UpstreamAccount } from '../../src/upstream/upstream-driver.js';
import { type BrowserFleet } from '../../src/upstream/web/browser/browser-fleet.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { ask, WebSite } from '../support/upstream/web-site.js';

const never = new AbortController().signal;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

describe('WebDriver, logins', () => {
  let web: WebSite;
  beforeAll(async () => {
    web = await WebSite.start();
  });
  afterAll(() => web.close());

  const logins = (index: number): number => web.site.logins.get(web.account(index).name)?.ok ?? 0;

  async function failure(driver: WebDriver, account: UpstreamAccount): Promise<LoginRequiredError> {
    return driver.open(account, never).then(
      () => {
        throw new Error('opened');
      },
      (error: LoginRequiredError) => error,
    );
  }

  /** The page of the account's only session. */
  async function pageOf(driver: WebDriver, account: UpstreamAccount): Promise<Page> {
    const { fleet } = driver as unknown as { fleet: BrowserFleet };
    const { browser } = await fleet.browser(account.id);
    const pages = await Promise.all(browser.browserContexts().map((context) => context.pages()));
    return pages.flat().find((one) => one.url().startsWith(web.origin))!;
  }

  it('logs an account in once, however many sessions open at a time', async () => {
    const driver = web.driver();
    const account = web.account(0);
    const sessions = await Promise.all([1, 2, 3].map(() => driver.open(account, never)));
    expect(logins(0)).toBe(1);
    await Promise.all(sessions.map((session) => session.close()));
  });

  it('needs no new login with the saved state, in another browser', async () => {
    const account = web.account(1);
    const first = web.driver();
    await (await first.open(account, never)).close();
    await first.close();
    expect(account.state).toContain('cookies');
    const session = await web.driver().open(account, never);
    expect((await ask(session, '[[say:hello]]')).text).toBe('hello');
    expect(logins(1)).toBe(1);
    await session.close();
  });

  it('stores the login as it is when the account is given up, for the gateway that has it next', async () => {
    const account = web.account(1);
    const driver = web.driver();
    const session = await driver.open(account, never);
    const page = await pageOf(driver, account);
    await page.evaluate(`localStorage.setItem('renewed', 'meanwhile')`);
    const closing = session.close();
    await driver.forget(account.id);
    await closing;
    expect(account.state).toContain('meanwhile');
  });

  it('stores no login without its cookies, which a context may have lost as it is taken down', async () => {
    const account = web.account(1);
    const driver = web.driver();
    await (await driver.open(account, never)).close();
    await driver.forget(account.id);
    const session = await driver.open(account, never);
    const page = await pageOf(driver, account);
    const context = page.browserContext();
    await context.deleteCookie(...(await context.cookies()));
    await page.evaluate(`localStorage.setItem('renewed', 'without')`);
    await session.close();
    expect(account.state).toContain('sandbox_session');
    expect(account.state).not.toContain('without');
  });

  it('logs in again when the saved state has expired', async () => {
    const account = web.account(2);
    const driver = web.driver();
    await (await driver.open(account, never)).close();
    web.site.logOutEverywhere(account.name);
    await (await driver.open(account, never)).close();
    expect(logins(2)).toBe(2);
  });

  it('logs in anew where a later login is asked for, while the earlier one ends what it has begun', async () => {
    const before = web.account(2);
    const driver = web.driver();
    const old = await driver.open(before, never);
    const since = logins(2);
    before.state = undefined;
    const fresh = await driver.open({ ...before, login: 1 }, never);
    expect(logins(2)).toBe(since + 1);
    expect((await ask(old, '[[say:hello]]')).text).toBe('hello');
    expect((await ask(old, '[[say:hello]]')).error).toMatchObject({ fault: 'session_closed' });
    expect((await ask(fresh, '[[say:hello]]')).text).toBe('hello');
    expect((await ask(fresh, '[[say:hello]]')).text).toBe('hello');
    expect(logins(2)).toBe(since + 1);
    await Promise.all([old.close(), fresh.close()]);
  });

  it('takes pages of an earlier login out of use', async () => {
    const account = web.account(0);
    const driver = web.driver();
    const sessions = await Promise.all([driver.open(account, never), driver.open(account, never)]);
    web.site.logOutEverywhere(account.name);
    const fresh = await driver.open(account, never);
    expect(sessions.map(({ isUsable }) => isUsable)).toEqual([false, false]);
    expect(fresh.isUsable).toBe(true);
    expect((await ask(sessions[0], '[[say:hello]]')).error).toMatchObject({
      name: 'LoginReplacedError',
      cause: { fault: 'upstream_status_403' },
    });
    expect((await ask(sessions[0], '[[say:hello]]')).text).toBe('hello');
    await Promise.all([...sessions, fresh].map((session) => session.close()));
  });

  it('restores cookies that the browser lost, instead of logging in', async () => {
    const account = web.account(1);
    const driver = web.driver();
    const session = await driver.open(account, never);
    await session.close();
    const before = logins(1);
    await driver.forget(account.id);
    const again = await driver.open(account, never);
    expect(logins(1)).toBe(before);
    await again.close();
  });

  it('reports a wrong password with evidence', async () => {
    const account = { ...web.account(0), credentials: { user: 'sandbox-1', password: 'wrong' }, id: 'x' };
    const error = await failure(web.driver(), account);
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error).toMatchObject({
      fault: 'invalid_credentials',
      evidence: { url: `${web.origin}/login`, title: 'Log in · Sandbox' },
    });
    expect(error.evidence?.screenshot?.subarray(0, 4)).toEqual(PNG);
  });

  it('reports a credential that the account lacks only where it is needed', async () => {
    const whole = web.account(2);
    const first = web.driver();
    await (await first.open(whole, never)).close();
    const { user = '' } = whole.credentials;
    const part = { ...whole, credentials: { user }, id: 'part' };
    await (await web.driver().open(part, never)).close();
    const stranger = { ...part, id: 'stranger', loadState: () => Promise.resolve(undefined) };
    expect(await failure(web.driver(), stranger)).toMatchObject({
      name: 'LoginRequiredError',
      fault: 'invalid_credentials',
      message: "The credential 'password' is missing.",
    });
  });

  it('reports a challenge page, and does not touch it', async () => {
    const account = web.account(0);
    web.site.setSwitches('[[blocked]]', { account: account.name, prompts: 1 });
    const driver = web.driver();
    const session = await driver.open(account, never);
    expect((await ask(session, 'hello')).error).toMatchObject({ fault: 'blocked' });
    await session.close();
    expect(await failure(driver, account)).toMatchObject({
      fault: 'blocked',
      evidence: { title: 'Just a moment…' },
    });
    web.site.clearSwitches();
    await (await driver.open(account, never)).close();
  });
});
