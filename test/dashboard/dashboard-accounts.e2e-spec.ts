import { afterEach, describe, expect, it } from '@jest/globals';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { failed, rateLimited } from '../support/upstream/openai-stub-plans.js';

const KEY = 'key-of-the-gateway';

const dashboard = useDashboard({ API_KEY: KEY, UPSTREAM_API_KEYS: 'sk-one', RETRY_MAX_ATTEMPTS: 1 });

const complete = (): Promise<Response> => dashboard.gateway.post(ASK, dashboard.withKey);

describe('the accounts page', () => {
  const registry = (): AccountRegistry => dashboard.gateway.app.get(AccountRegistry);
  const commands = (): AccountCommands => dashboard.gateway.app.get(AccountCommands);
  const health = (): AccountHealth => dashboard.gateway.app.get(AccountHealth);
  const card = (name: string): string => dashboard.card(name);

  afterEach(async () => {
    for (const { id, source } of registry().list()) {
      if (source === 'operator') {
        await commands().remove(null, id);
      } else {
        await commands().clearCooldown(null, id);
        await commands().enable(null, id);
      }
    }
  });

  it('adds an account, changes its credentials, and removes it after confirmation', async () => {
    const page = await dashboard.open('/accounts');
    await seeText(page, '#summary', '1 of 1 account ready');
    await click(page, '#add');
    await page.locator('#account-form [name="name"]').fill('two words');
    await page.locator('[name="credential-key"]').fill('sk-planted-one');
    await press(page, '#account-form .dialog-foot', 'Add');
    await seeText(page, '#summary', '2 of 2 accounts ready');
    await seeText(page, card('two words'), 'two words ready');
    await press(page, card('two words'), 'Edit credentials');
    await page.locator('[name="credential-key"]').fill('sk-planted-two');
    await press(page, '#account-form', 'Save and log in');
    await page.waitForSelector('#account-form', { hidden: true });
    expect(registry().list()[1]?.credentials).toEqual({ key: 'sk-planted-two' });
    expect(await page.content()).not.toContain('sk-planted');
    const removed = card('two words');
    await press(page, removed, 'Remove');
    await press(page, '#confirm', 'Cancel');
    expect(registry().list()).toHaveLength(2);
    await press(page, removed, 'Remove');
    await press(page, '#confirm .dialog-foot', 'Remove');
    await page.waitForSelector(removed, { hidden: true });
    expect(registry().list()).toHaveLength(1);
  });

  it('shows the error of a new account at its field', async () => {
    await commands().add(null, 'taken', { key: 'k' });
    const page = await dashboard.open('/accounts');
    await click(page, '#add');
    await page.locator('#account-form [name="name"]').fill('taken');
    await page.locator('[name="credential-key"]').fill('k2');
    await page.keyboard.press('Enter');
    await seeText(page, '#account-form .field-error', `There is an account named 'taken' already.`);
    expect(await inPage(page, `document.querySelector('[name="name"]').getAttribute('aria-invalid')`)).toBe(
      'true',
    );
  });

  it('shows the error of a credential below its field', async () => {
    const page = await dashboard.open('/accounts');
    await click(page, '#add');
    await page.locator('#account-form [name="name"]').fill('keyless');
    await page.keyboard.press('Enter');
    await seeText(page, '[data-credential="key"] + .field-error', `need key: 'key' is empty.`);
    const marked = `[...document.querySelectorAll('#account-form [aria-invalid="true"]')].map(({ name }) => name)`;
    expect(await inPage(page, marked)).toEqual(['credential-key']);
    expect(registry().list()).toHaveLength(1);
    await page.locator('[name="credential-key"]').fill('schlüssel');
    await page.keyboard.press('Enter');
    await seeText(page, '[data-credential="key"] + .field-error', `need key: 'key' holds`);
    await page.locator('[name="credential-key"]').fill('sk-two');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#account-form', { hidden: true });
    await seeText(page, card('keyless'), 'keyless ready');
    expect(registry().list()).toHaveLength(2);
  });

  it('takes an account with other credentials out of use, and asks for the right ones', async () => {
    await commands().disable(null, registry().list()[0]!.id);
    // As a store may have it from before they were checked.
    registry().announce(await registry().create('old', { apiKey: 'sk-old' }, 'operator'), 'opened');
    expect((await complete()).status).toBe(500);
    const page = await dashboard.open('/accounts');
    await seeText(page, card('old'), 'login required');
    await seeText(page, card('old'), `The credential 'key' is missing.`);
    await press(page, card('old'), 'Edit credentials');
    await page.locator('[name="credential-key"]').fill('sk-new');
    await press(page, '#account-form', 'Save and log in');
    await seeText(page, card('old'), 'old ready');
    expect(registry().list()[1]?.credentials).toEqual({ key: 'sk-new' });
    expect((await complete()).status).toBe(200);
  });

  it('disables an account after confirmation, and enables it', async () => {
    const { name } = registry().list()[0]!;
    const page = await dashboard.open('/accounts');
    await press(page, card(name), 'Disable');
    await press(page, '#confirm .dialog-foot', 'Disable');
    await seeText(page, card(name), `${name} disabled`);
    expect(registry().list()[0]?.isEnabled).toBe(false);
    await press(page, card(name), 'Enable');
    await seeText(page, card(name), `${name} ready`);
  });

  it('keeps the focus at a button that was pressed by the keyboard, or at what takes its place', async () => {
    const { name } = registry().list()[0]!;
    const page = await dashboard.open('/accounts');
    const focused = (action: string) => page.waitForSelector(`${card(name)} [data-action="${action}"]:focus`);
    await page.waitForSelector(card(name));
    await page.focus(`${card(name)} [data-action="login"]`);
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/accounts')),
      page.keyboard.press('Enter'),
    ]);
    await focused('login');
    await page.focus(`${card(name)} [data-action="disable"]`);
    await page.keyboard.press('Enter');
    await press(page, '#confirm .dialog-foot', 'Disable');
    await focused('enable');
    await page.keyboard.press('Enter');
    await focused('disable');
  });

  it('keeps the message of a failed action while the account changes', async () => {
    const account = registry().list()[0]!;
    const page = await dashboard.open('/accounts');
    await page.waitForSelector(card(account.name));
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isAction = request.method() === 'POST';
      void (isAction
        ? request.respond({ status: 500, body: '{"error":{"message":"It cannot be done."}}' })
        : request.continue());
    });
    await press(page, card(account.name), 'Log in again');
    await seeText(page, `${card(account.name)} .field-error`, 'It cannot be done.');
    health().coolDown(account, 60_000, 'Too many requests.');
    await seeText(page, card(account.name), 'Too many requests.');
    expect(await textOf(page, `${card(account.name)} .field-error`)).toBe('It cannot be done.');
  });

  it('redraws no card under a pressed button', async () => {
    const account = registry().list()[0]!;
    const page = await dashboard.open('/accounts');
    await seeText(page, card(account.name), 'ready');
    await page.locator(`${card(account.name)} [data-action="disable"]`).hover();
    await page.mouse.down();
    health().coolDown(account, 60_000, 'Too many requests.');
    await page.waitForResponse(
      async (response) =>
        new URL(response.url()).pathname === '/dashboard/api/accounts' &&
        (await response.text()).includes('Too many requests.'),
    );
    expect(await textOf(page, card(account.name))).not.toContain('Too many requests.');
    await page.mouse.up();
    await seeText(page, '#confirm', `Disable ${account.name}?`);
    await seeText(page, card(account.name), 'Too many requests.');
    await press(page, '#confirm', 'Cancel');
  });

  it('counts a cooldown down and clears it', async () => {
    dashboard.stub.answerNextWith(rateLimited({ retryAfter: '100' }));
    expect((await complete()).status).toBe(429);
    const { name } = registry().list()[0]!;
    const page = await dashboard.open('/accounts');
    await seeText(page, card(name), 'cooling down');
    await seeText(page, card(name), 'Rate limit');
    const clock = (): Promise<string> => textOf(page, `${card(name)} .clock`);
    // It stands still while a machine sleeps.
    await page.evaluate('{ const at = performance.now(); performance.now = () => at; }');
    const first = await clock();
    expect(first).toMatch(/^1:[345]\d$/);
    await page.waitForFunction(`document.querySelector('.clock').textContent !== ${JSON.stringify(first)}`);
    expect((await clock()) < first).toBe(true);
    await press(page, card(name), 'Clear cooldown');
    await seeText(page, card(name), `${name} ready`);
    expect((await complete()).status).toBe(200);
    health().coolDown(registry().list()[0]!, 2 * 86_400_000, 'A quota is used up.');
    await seeText(page, card(name), 'A quota is used up.');
    expect(await textOf(page, card(name))).toMatch(/used again \(\d+ \w+ \d\d:\d\d:\d\d\)/);
  });

  it('tests an account, and says what came of it, also where the clock of the browser is wrong', async () => {
    const page = await dashboard.open('/accounts');
    await page.evaluateOnNewDocument('const { now } = Date; Date.now = () => now() + 7_200_000;');
    await page.reload();
    await click(page, '#add');
    await page.locator('#account-form [name="name"]').fill('fresh');
    await page.locator('[name="credential-key"]').fill('sk-fresh');
    await press(page, '#account-form .dialog-foot', 'Add');
    await page.waitForSelector('#account-form', { hidden: true });
    await seeText(page, card('fresh'), 'fresh ready untested');
    const result = (): string => `${card('fresh')} .test-result`;
    dashboard.stub.answerNextWith(failed(500));
    await click(page, `${card('fresh')} [data-action="test"]`);
    await seeText(page, result(), 'Test failed: upstream status 500');
    await seeText(page, result(), 'The upstream answered with status 500.');
    await click(page, `${card('fresh')} [data-action="test"]`);
    await seeText(page, result(), 'Test: answered in ');
    expect(await textOf(page, `${result()} time`)).toMatch(/^(just now|\d+ s ago)$/);
    await page.waitForFunction(
      `!document.querySelector(${JSON.stringify(card('fresh'))}).textContent.includes('untested')`,
    );
    const href = await inPage(page, `document.querySelector(${JSON.stringify(`${result()} a`)}).search`);
    expect(href).toMatch(/^\?id=req_/);
    dashboard.stub.answerNextWith(
      failed(401, { message: 'Incorrect API key provided: sk-fresh', code: 'invalid_api_key' }),
    );
    await click(page, `${card('fresh')} [data-action="test"]`);
    await seeText(page, result(), 'Test failed: invalid credentials');
    await seeText(page, card('fresh'), 'fresh login required');
    expect(await page.content()).not.toContain('sk-fresh');
  });

  it('shows reason and screenshot of a failed login', async () => {
    const account = await commands().add(null, 'locked-out', { key: 'k' });
    const page = await dashboard.open('/accounts');
    const screenshot = await page.screenshot({ type: 'png', clip: { x: 0, y: 0, width: 40, height: 30 } });
    health().requireLogin(
      account,
      new LoginRequiredError('login_failed', 'The site refused the password.', {
        evidence: {
          url: 'http://site.test/login',
          title: 'Log in',
          screenshot,
        },
      }),
    );
    await press(page, card('locked-out'), 'Show the page of the site');
    await seeText(page, '#evidence', 'The site refused the password.');
    await seeText(page, '#evidence', 'http://site.test/login');
    await page.waitForFunction(`document.querySelector('#evidence img')?.naturalWidth === 40`);
  });
});
