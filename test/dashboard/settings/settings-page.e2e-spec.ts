import { describe, expect, it } from '@jest/globals';
import { type HTTPRequest, type Page } from 'puppeteer';
import { click, inPage, press, seeText, textOf } from '../../support/browser/dashboard-browser.js';
import { useDashboard } from '../../support/browser/use-dashboard.js';
import { ASK } from '../../support/gateway/stub-gateway.js';
import { answer } from '../../support/upstream/openai-stub-plans.js';

const KEY = 'key-of-the-gateway';

const dashboard = useDashboard({ API_KEY: KEY, UPSTREAM_API_KEYS: 'sk-one', RETRY_MAX_ATTEMPTS: 1 });

const complete = (more: object = {}): Promise<Response> =>
  dashboard.gateway.post({ ...ASK, ...more }, dashboard.withKey);

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

  it('names what a choice without a default goes back to', async () => {
    await saveElsewhere({ TOOL_MODE: 'emulated' });
    const page = await dashboard.open('/settings');
    await page.waitForSelector(field('TOOL_MODE'));
    await press(page, field('TOOL_MODE'), 'Use the default');
    const shown = await inPage(
      page,
      `document.querySelector('#setting-TOOL_MODE').selectedOptions[0].textContent`,
    );
    expect(shown).toBe('native with PROVIDER=openai, else emulated');
    await saveElsewhere({ TOOL_MODE: null });
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
