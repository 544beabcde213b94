import { afterEach, describe, expect, it } from '@jest/globals';
import { type HTTPRequest, type Page } from 'puppeteer';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { answer, failed, rateLimited } from '../support/upstream/openai-stub-plans.js';

const KEY = 'key-of-the-gateway';

const dashboard = useDashboard({ API_KEY: KEY, UPSTREAM_API_KEYS: 'sk-one', RETRY_MAX_ATTEMPTS: 1 });

const complete = (more: object = {}): Promise<Response> =>
  dashboard.gateway.post({ ...ASK, ...more }, dashboard.withKey);

describe('the accounts page', () => {
  const registry = (): AccountRegistry => dashboard.gateway.app.get(AccountRegistry);
  const commands = (): AccountCommands => dashboard.gateway.app.get(AccountCommands);
  const health = (): AccountHealth => dashboard.gateway.app.get(AccountHealth);
  /** The card of an account, by its name. */
  const card = (name: string): string =>
    `[data-entry="${
      registry()
        .list()
        .find((account) => account.name === name)?.id
    }"]`;

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

describe('the settings page', () => {
  const field = (name: string): string => `[data-setting="${name}"]`;
  const api = (init: RequestInit = {}): Promise<Response> =>
    fetch(`${dashboard.gateway.origin}/dashboard/api/settings`, {
      ...init,
      headers: {
        ...dashboard.withKey.headers,
        'content-type': 'application/json',
        ...(init.headers as object),
      },
    });
  /** Saves like another user. */
  const saveElsewhere = async (values: object): Promise<void> => {
    const etag = (await api()).headers.get('etag') ?? '';
    const saved = await api({
      method: 'PATCH',
      headers: { 'if-match': etag },
      body: JSON.stringify({ values }),
    });
    expect(saved.status).toBe(200);
  };
  const type = async (page: Page, name: string, text: string): Promise<void> => {
    await page.locator(`#setting-${name}`).fill(text);
  };

  it('changes a setting at once, and restores the default', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('DEFAULT_MAX_TOKENS'));
    await type(page, 'DEFAULT_MAX_TOKENS', '2');
    await seeText(page, '#changes', '1 change not saved: DEFAULT_MAX_TOKENS');
    await click(page, '#save');
    await seeText(page, '#summary', 'Saved DEFAULT_MAX_TOKENS.');
    await seeText(page, field('DEFAULT_MAX_TOKENS'), 'from config.json');
    dashboard.stub.answerNextWith(answer({ pieces: 50 }));
    const short = (await (await complete({ stream: false })).json()) as {
      choices: { finish_reason: string }[];
    };
    expect(short.choices[0]?.finish_reason).toBe('length');
    await press(page, field('DEFAULT_MAX_TOKENS'), 'Use the default');
    expect(await inPage(page, `document.querySelector('#setting-DEFAULT_MAX_TOKENS').value`)).toBe('');
    await click(page, '#save');
    await page.waitForFunction(
      `!document.querySelector(${JSON.stringify(field('DEFAULT_MAX_TOKENS'))}).textContent.includes('config.json')`,
    );
    expect(dashboard.gateway.settings.DEFAULT_MAX_TOKENS).toBeUndefined();
  });

  it('keeps what is typed while it saves', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('DEFAULT_MAX_TOKENS'));
    await type(page, 'DEFAULT_MAX_TOKENS', '2');
    const { promise: saving, resolve } = Promise.withResolvers<HTTPRequest>();
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.method() === 'PATCH' ? resolve(request) : void request.continue(),
    );
    await click(page, '#save');
    const request = await saving;
    await type(page, 'POOL_QUEUE_LIMIT', '9');
    await request.continue();
    await seeText(page, '#summary', 'Saved DEFAULT_MAX_TOKENS.');
    await page.keyboard.type('8');
    await seeText(page, '#changes', '1 change not saved: POOL_QUEUE_LIMIT');
    expect(await inPage(page, `document.querySelector('#setting-POOL_QUEUE_LIMIT').value`)).toBe('98');
    await saveElsewhere({ DEFAULT_MAX_TOKENS: null });
  });

  it('shows settings of the environment as read-only, and no secrets', async () => {
    const page = await dashboard.open('/settings');
    await seeText(page, field('RETRY_MAX_ATTEMPTS'), 'read-only: set in the environment');
    expect(await inPage(page, `document.querySelector('#setting-RETRY_MAX_ATTEMPTS').readOnly`)).toBe(true);
    expect(await inPage(page, `document.querySelector('#setting-PROVIDER').disabled`)).toBe(true);
    expect(await inPage(page, `document.querySelector('#setting-API_KEY').value`)).toBe('');
    expect(await inPage(page, `document.querySelector('#setting-API_KEY').type`)).toBe('password');
    expect(await textOf(page, `${field('API_KEY')} code`)).toBe('x-api-key');
    expect(await inPage(page, `document.querySelector('#setting-API_KEY').placeholder`)).toBe('set');
    expect(await page.content()).not.toMatch(/key-of-the-gateway|sk-one/);
  });

  it('shows the error of a value at its field, also where that was filtered out', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('HEARTBEAT_AFTER_MS'));
    await type(page, 'HEARTBEAT_AFTER_MS', 'soon');
    await page.locator('#find').fill('idle');
    await page.waitForSelector(field('HEARTBEAT_AFTER_MS'), { hidden: true });
    await click(page, '#save');
    await seeText(
      page,
      `${field('HEARTBEAT_AFTER_MS')} .field-error`,
      'HEARTBEAT_AFTER_MS must be an integer',
    );
    expect(await inPage(page, 'document.activeElement.id')).toBe('setting-HEARTBEAT_AFTER_MS');
    await click(page, '#discard');
    await page.waitForSelector('#save-bar', { hidden: true });
  });

  it('leads from the last setting to an error that is about none', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('DATA_DIR'));
    await type(page, 'POOL_QUEUE_LIMIT', '99');
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.method() === 'PATCH'
        ? void request.respond({ status: 500, body: '{"error":{"message":"It cannot be saved."}}' })
        : void request.continue(),
    );
    await inPage(page, 'scrollTo(0, document.body.scrollHeight)');
    await click(page, '#save');
    await seeText(page, '#conflict', 'It cannot be saved.');
    await page.waitForFunction('scrollY < 100');
    await page.waitForSelector('#conflict .notice:focus');
  });

  it('refuses to overwrite a concurrent change, and shows it', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('POOL_QUEUE_LIMIT'));
    await type(page, 'POOL_QUEUE_LIMIT', '99');
    await saveElsewhere({ POOL_IDLE_MS: 12_345 });
    await click(page, '#save');
    await seeText(page, '#conflict', 'POOL_IDLE_MS: 60000 → 12345');
    await type(page, 'POOL_QUEUE_LIMIT', '98');
    expect(dashboard.gateway.settings.POOL_QUEUE_LIMIT).toBe(256);
    await press(page, '#conflict', 'Reload and keep my changes');
    await page.waitForFunction(`document.querySelector('#setting-POOL_IDLE_MS').value === '12345'`);
    await click(page, '#save');
    await seeText(page, '#summary', 'Saved POOL_QUEUE_LIMIT.');
    expect([dashboard.gateway.settings.POOL_QUEUE_LIMIT, dashboard.gateway.settings.POOL_IDLE_MS]).toEqual([
      98, 12_345,
    ]);
    await saveElsewhere({ POOL_QUEUE_LIMIT: null, POOL_IDLE_MS: null });
  });

  it('lists the settings that wait for a restart', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('SITE_RECIPE'));
    await type(page, 'SITE_RECIPE', 'recipes/sandbox.json');
    await click(page, '#save');
    await seeText(page, '#pending', 'Restart the gateway to apply: SITE_RECIPE');
    await saveElsewhere({ SITE_RECIPE: null });
  });

  it('asks before it is left with unsaved changes', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('DRAIN_MS'));
    await click(page, '#setting-DRAIN_MS');
    await page.keyboard.type('7');
    const asked = new Promise((resolve) => page.once('dialog', (dialog) => resolve(dialog.type())));
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs`);
    expect(await asked).toBe('beforeunload');
  });

  it('searches settings by name and description', async () => {
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('POOL_IDLE_MS'));
    await page.keyboard.press('/');
    await page.keyboard.type('idle');
    await page.waitForSelector(field('PORT'), { hidden: true });
    await page.waitForSelector(field('POOL_IDLE_MS'), { visible: true });
  });

  it('shows settings in groups, by titles and in words, and those that were changed', async () => {
    const page = await dashboard.open('/settings');
    await seeText(page, field('RATE_LIMIT_COOLDOWN_MS'), 'Rate limit cooldown');
    await page.locator('#setting-RATE_LIMIT_COOLDOWN_MS').fill('90000');
    await seeText(page, field('RATE_LIMIT_COOLDOWN_MS'), '= 1 min 30 s');
    expect(await page.$('#group-other')).toBeNull();
    await press(page, '#sections', 'Storage');
    await page.waitForFunction(`location.hash === '#group-storage'`);
    await click(page, '#only-set');
    await page.waitForSelector(field('HOST'), { hidden: true });
    await page.waitForSelector(field('PORT'), { visible: true });
    await page.waitForSelector('#sections [href="#group-session-pool"]', { hidden: true });
  });
});
