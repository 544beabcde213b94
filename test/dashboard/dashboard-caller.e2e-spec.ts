import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { findings, keepViews } from '../support/browser/appearance.js';
import { click, inPage, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { withinOneDay } from '../support/watch/one-day.js';

const KEY = 'key-of-the-operator';
const USAGE = { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 };
const LIMITS = { requestsPerMinute: 2, tokensPerDay: 1_000_000, models: ['svc-max'] };

const dashboard = useDashboard({ API_KEY: KEY, LOG_CONTENT: 'full' });

const ask = async (key: string, content: string): Promise<{ id: string; status: number }> => {
  const body = { ...ASK, messages: [{ role: 'user', content }], stream: false };
  const { headers, status } = await dashboard.gateway.post(body, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { id: headers.get('x-request-id') ?? '', status };
};

describe('the dashboard of a caller', () => {
  /** The key of ann, with limits; she has sent a request, and was refused one. */
  let ann: string;
  let own: string;
  let refused: string;
  let others: string;

  beforeEach(withinOneDay);
  beforeAll(async () => {
    const made = await fetch(`${dashboard.gateway.origin}/dashboard/api/keys`, {
      method: 'POST',
      headers: { ...dashboard.withKey.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ann', ...LIMITS }),
    });
    ({ secret: ann } = (await made.json()) as { secret: string });
    dashboard.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
    ({ id: own } = await ask(ann, 'a question of ann'));
    await ask(ann, 'another one');
    ({ id: refused } = await ask(ann, 'one too many'));
    ({ id: others } = await ask(KEY, 'a question of the operator'));
  });

  /** The statuses of what a page asks for, except those that are answered. */
  const refusals = (page: Page): string[] => {
    const found: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) {
        found.push(`${response.status()} ${new URL(response.url()).pathname}`);
      }
    });
    return found;
  };

  it('leads whoever enters the key of a caller at the front to what is its own', async () => {
    const page = await dashboard.open('', { key: undefined });
    await page.locator('#key-input').fill(ann);
    await page.keyboard.press('Enter');
    await seeText(page, '#limits', '2 of 2 requests a minute The next one may be sent in');
    await seeText(page, '#limits', '2,468 of 1,000,000 tokens a day Counted anew in');
    await seeText(page, '#limits', 'It may use the models svc-max. It does not expire.');
    expect(await inPage(page, 'location.pathname')).toBe('/dashboard/own');
    expect(await textOf(page, 'nav')).toBe('Your key Logs Chat');
    await seeText(page, '#usage', 'svc-max 2 0 2,400 68');
    await seeText(page, '#requests', 'A limit of the caller’s key is used up');
  });

  it('asks for nothing that it may not see, and looks well', async () => {
    const page = await dashboard.open('/own', { key: ann, width: 1360 });
    const refusedReads = refusals(page);
    await page.reload();
    await page.waitForSelector('#requests [data-entry]');
    await click(page, '.start-card > summary');
    await seeText(page, '.start-card', 'Base URL');
    expect(await findings(page)).toEqual([]);
    await keepViews(page, 'own');
    for (const path of ['logs', 'chat']) {
      await page.goto(`${dashboard.gateway.origin}/dashboard/${path}`);
      await page.waitForSelector(path === 'logs' ? '.entry' : '#chat option');
    }
    // The state of the whole gateway, which tells whose key it is, is asked for once a page.
    expect(refusedReads.filter((read) => read !== '403 /dashboard/api/status')).toEqual([]);
    expect(refusedReads.length).toBeLessThan(6);
  });

  it('shows its own requests whole, and nothing of accounts or of others', async () => {
    const page = await dashboard.open('/logs', { key: ann, width: 1360 });
    await page.waitForSelector('.entry');
    expect(await textOf(page, '#list')).not.toContain('question of the operator');
    expect(await inPage(page, `document.querySelector('[name="account"]').offsetParent`)).toBeNull();
    await click(page, `[data-entry="${own}"] summary`);
    await seeText(page, '.entry-detail', 'a question of ann');
    await seeText(page, '.entry-detail', 'ANSWER Hello.');
    expect(await textOf(page, '.entry-detail')).not.toMatch(/accounts|upstream network|recorded|127\.0/i);
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?id=${refused}`);
    await seeText(page, '#pinned', 'The page “Your key” shows when it renews.');
    await click(page, '#pinned .facts a');
    await page.waitForSelector('#limits meter');
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?id=${others}`);
    await seeText(page, '#pinned', 'callers see only their own requests');
  });

  it('follows its own requests, and leaves none in its log for itself', async () => {
    const page = await dashboard.open('/logs', { key: ann });
    await page.waitForSelector('.entry');
    const count = `document.querySelectorAll('.entry').length`;
    const before = await inPage<number>(page, count);
    const other = await dashboard.open('/own', { key: ann });
    await other.waitForSelector('#requests [data-entry]');
    await ask(KEY, 'a second question of the operator');
    await ask(ann, 'a later one');
    await eventually(PATIENCE_MS, async () => expect(await inPage(page, count)).toBe(before + 1));
    expect(await textOf(page, '#list')).not.toContain('/dashboard');
  });

  it('says on pages of operators what the key opens', async () => {
    const page = await dashboard.open('/accounts', { key: ann });
    await seeText(page, 'main', "Another key is needed This needs an operator's key.");
    await Promise.all([page.waitForNavigation(), click(page, '.state a[href="/dashboard/own"]')]);
    await page.waitForSelector('#limits meter');
  });

  it('lets an operator in at the front after a caller, in the same tab', async () => {
    const page = await dashboard.open('', { key: undefined });
    await page.locator('#key-input').fill(ann);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#limits meter');
    await click(page, '[aria-label="Forget the key"]');
    await page.waitForSelector('#key-input');
    await page.goto(`${dashboard.gateway.origin}/dashboard`);
    await page.locator('#key-input').fill(KEY);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#tiles > *');
    expect(await textOf(page, 'nav')).toContain('Settings');
  });

  it('shows nothing of it any more once another tab has taken the key of somebody else', async () => {
    const made = await dashboard.gateway.post({ name: 'bob' }, dashboard.withKey, '/dashboard/api/keys');
    const { secret: bob } = (await made.json()) as { secret: string };
    const tab = await dashboard.open('/own', { key: undefined });
    const keep = (key: string): Promise<void> =>
      inPage(tab, `localStorage.setItem('gateway-key', ${JSON.stringify(key)})`);
    await keep(ann);
    const beside = { key: undefined, beside: tab };
    const own = await dashboard.open('/own', beside);
    const list = await dashboard.open('/logs', beside);
    const named = await dashboard.open(`/logs?id=${refused}`, beside);
    await own.waitForSelector('#requests [data-entry]');
    await list.waitForSelector('.entry');
    await seeText(named, '#pinned', 'A limit of the caller’s key is used up');
    await keep(bob);
    await seeText(list, '#list', 'No requests yet');
    await seeText(named, '#pinned', 'callers see only their own requests');
    await seeText(own, '#summary', 'bob');
    await seeText(own, '#requests', 'No requests are in the log');
    expect(await textOf(own, '#usage')).not.toContain('svc-max');
    const links = `[...document.querySelectorAll('#requests h2 + a')].map((link) => link.search)`;
    const ofBob: unknown = expect.stringContaining('key=bob');
    await eventually(PATIENCE_MS, async () =>
      expect(await inPage(own, links)).toEqual([ofBob, ofBob, ofBob]),
    );
  });

  it('rotates the key by the keyboard and goes on with the new one; the old one serves for its time', async () => {
    const made = await dashboard.gateway.post({ name: 'rita' }, dashboard.withKey, '/dashboard/api/keys');
    const { secret: first } = (await made.json()) as { secret: string };
    dashboard.stub.answerWith(answer());
    const page = await dashboard.open('/own', { key: first });
    const rotate = async (choice = ''): Promise<string> => {
      await page.waitForSelector('#rotate:not([hidden])');
      await page.focus('#rotate');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#key-form [name="overlapMs"]:focus');
      await page.keyboard.type(choice);
      await click(page, '#key-form [type="submit"]');
      await page.waitForSelector('#new-secret');
      return inPage<string>(page, `document.querySelector('#new-secret').textContent`);
    };
    const done = async (): Promise<void> => {
      await click(page, '#key-form button.primary');
      await page.waitForSelector('#rotate:focus');
    };
    const second = await rotate();
    expect(await inPage(page, `sessionStorage.getItem('gateway-key')`)).toBe(second);
    await done();
    const statuses = (...keys: string[]): Promise<number[]> =>
      Promise.all(keys.map(async (key) => (await ask(key, 'a question of rita')).status));
    expect(await statuses(first, second)).toEqual([200, 200]);
    const third = await rotate('not');
    await inPage(page, `document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await inPage(page, `document.querySelector('#new-secret').textContent`)).toBe(third);
    await done();
    expect(await statuses(first, second, third)).toEqual([401, 401, 200]);
    await eventually(PATIENCE_MS, async () => expect(await textOf(page, 'nav')).toBe('Your key Logs Chat'));
    await seeText(page, '#limits', 'Its secret was made at');
  });

  it('says of a secret that was replaced how long it serves, and does not rotate by it', async () => {
    const made = await dashboard.gateway.post({ name: 'otto' }, dashboard.withKey, '/dashboard/api/keys');
    const { secret: old } = (await made.json()) as { secret: string };
    const page = await dashboard.open('/own', { key: old });
    await page.waitForSelector('#rotate:not([hidden])');
    await click(page, '#rotate');
    await page.waitForSelector('#key-form');
    const path = '/dashboard/api/own-key/rotate';
    await dashboard.gateway.post({}, { headers: { authorization: `Bearer ${old}` } }, path);
    await click(page, '#key-form [type="submit"]');
    await seeText(page, '#key-form .field-error', 'The key has a newer secret: only that one can rotate it.');
    await page.keyboard.press('Escape');
    await page.reload();
    await seeText(page, '#limits', 'It was rotated: the secret in use here is accepted until');
    await page.waitForSelector('#rotate', { hidden: true });
  });

  it('offers to enter a key again where the one in use was revoked and none was entered', async () => {
    const made = await dashboard.gateway.post({ name: 'gina' }, dashboard.withKey, '/dashboard/api/keys');
    const { secret } = (await made.json()) as { secret: string };
    const page = await dashboard.open('/own', { key: secret });
    await page.waitForSelector('#rotate:not([hidden])');
    await dashboard.gateway.post({}, dashboard.withKey, '/dashboard/api/keys/gina/revoke');
    await inPage(page, `document.dispatchEvent(new Event('visibilitychange'))`);
    await page.waitForSelector('#key-dialog');
    await page.keyboard.press('Escape');
    await seeText(page, '#stale', 'What you see may be old. The API key is needed. Enter the key');
    await click(page, '#stale button');
    await page.waitForSelector('#key-dialog');
  });

  it("tells an operator of the key in use, too, and keeps the operators' pages", async () => {
    const page = await dashboard.open('/own');
    await seeText(page, '#summary', "API_KEY, an operator's: it opens all pages");
    await seeText(page, '#limits', 'This key has no limits.');
    expect(await textOf(page, 'nav')).toContain('Settings');
  });
});
