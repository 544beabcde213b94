import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { inPage, seeText } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

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

/** Fills the form for a new key, and reads the secret that is then shown. */
async function make(page: Page, fields: Readonly<Record<string, string>>): Promise<string> {
  await page.click('#add');
  for (const [name, value] of Object.entries(fields)) {
    await page.locator(`#key-form [name="${name}"]`).fill(value);
  }
  await page.click('#key-form [type="submit"]');
  await page.waitForSelector('#new-secret');
  return inPage<string>(page, `document.querySelector('#new-secret').textContent`);
}

describe('the page of keys', () => {
  beforeAll(() => mkdir(FOLDER, { recursive: true }));

  it('makes a key, shows its usage, limits and revokes it, and lists what was done', async () => {
    dashboard.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
    const page = await dashboard.open('/keys', { width: 1360 });
    await page.waitForSelector('.key-row');
    const secret = await make(page, { name: 'ann', tokensPerDay: '1000000' });
    await page.click('#key-form button.primary');
    await seeText(page, '#list', `${secret.slice(0, 10)}…`);
    expect(await page.content()).not.toContain(secret);

    expect(await ask(secret)).toBe(200);
    await page.reload();
    await seeText(page, '#usage', '1,200');

    await page.click('[aria-label="Limits ann"]');
    await page.locator('#key-form [name="requestsPerMinute"]').fill('1');
    await page.click('#key-form [type="submit"]');
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

    await page.click('[aria-label="Revoke ann"]');
    await page.waitForSelector('#confirm');
    await page.click('#confirm .danger');
    await seeText(page, '#list', 'revoked');
    expect(await ask(secret)).toBe(401);
    await seeText(page, '#audit', 'key.revoke');
    await page.setViewport({ width: 390, height: 800 });
    await page.screenshot({ path: join(FOLDER, 'keys-narrow.png'), fullPage: true });

    await page.goto(`${dashboard.gateway.origin}/dashboard/logs`);
    await page.click('#more-filters > summary');
    await page.waitForSelector('[name="key"] option[value="ann"]');
    await page.select('[name="key"]', 'ann');
    // Two were answered, and one was beyond the limit; a revoked key is a stranger's.
    await seeText(page, '#summary', '3 requests shown');
    expect(page.url()).toContain('?key=ann');
    await seeText(page, '.entry .caller', 'ann');
    await page.locator('.entry > summary').click();
    await page.waitForSelector('.entry-detail .facts a[href="/dashboard/logs?key=ann"]');
  });

  it("asks for an operator's key where a caller's was given", async () => {
    const page = await dashboard.open('/keys', { key: undefined });
    await page.waitForSelector('#key-input');
    await page.locator('#key-input').fill('key-of-the-nightly-job');
    await page.keyboard.press('Enter');
    await seeText(page, 'dialog', "a caller's key");
    await page.locator('#key-input').fill(KEY);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.key-row');
  });
});
