import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { RequestLog } from '../../src/logs/request-log.js';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { findings, keepViews } from '../support/browser/appearance.js';
import { click, inPage, press } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { seedLog } from '../support/gateway/dashboard-data.js';
import { hangs } from '../support/upstream/openai-stub-plans.js';

const SEEDED = ['pending', 'client_error', 'rate_limited', 'upstream_error', 'cancelled'];
/** Outcomes of requests that run when a gateway stops, or dies. */
const ENDED_BY_GATEWAY = ['shutdown', 'crashed'] as const;

/** State of each page before its screenshot. */
const SCENES: Readonly<
  Record<string, { path: string; ready: string; prepare?: (page: Page) => Promise<void> }>
> = {
  overview: { path: '', ready: '#stream .entry-row' },
  logs: { path: '/logs', ready: '.entry' },
  'logs-entry': { path: '/logs', ready: '.entry', prepare: unfold },
  'logs-filters': { path: '/logs?sort=largest', ready: '.entry' },
  'logs-empty': { path: '/logs?q=nothing-has-this', ready: '#list .state' },
  ...Object.fromEntries(
    [...SEEDED, ...ENDED_BY_GATEWAY].map((outcome) => [
      `entry-${outcome}`,
      { path: `/logs?status=${outcome}`, ready: '.entry', prepare: unfoldFirst },
    ]),
  ),
  accounts: { path: '/accounts', ready: '.account' },
  'keys-empty': { path: '/keys', ready: '#list .state' },
  'accounts-add': {
    path: '/accounts',
    ready: '.account',
    prepare: async (page) => {
      await click(page, '#add');
      await page.waitForSelector('#account-form');
    },
  },
  network: { path: '/network', ready: 'button.exchange' },
  'network-filters': { path: '/network?show=all&sort=slowest', ready: 'button.exchange' },
  'network-exchange': {
    path: '/network',
    ready: 'button.exchange',
    prepare: async (page) => {
      await press(page, '#list', 'messages');
      await page.waitForSelector('#detail .headers');
    },
  },
  settings: { path: '/settings', ready: '.setting' },
  'settings-changed': {
    path: '/settings',
    ready: '.setting',
    prepare: async (page) => {
      await page.locator('#setting-LOG_RETENTION_DAYS').fill('0');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.setting [aria-invalid="true"]');
    },
  },
};

const caller = new AbortController();
/** A response that nobody holds any more is collected, and its request ends with it. */
const held: Response[] = [];

// Before the hook that stops the gateway, which would wait for the request.
afterAll(() => caller.abort());
// The request that keeps running must do so until the last picture.
const dashboard = useDashboard({ UPSTREAM_IDLE_MS: 600_000 });
beforeAll(async () => {
  seedLog(dashboard.gateway.app);
  const { app } = dashboard.gateway;
  seedEnds(app.get(RequestLog));
  await seedAccounts(app.get(AccountCommands), app.get(AccountHealth));
  dashboard.stub.answerWith(hangs(1));
  held.push(await complete());
});

async function seedAccounts(commands: AccountCommands, health: AccountHealth): Promise<void> {
  const add = (name: string) => commands.add(null, name, { key: `sk-of-${name}` });
  health.coolDown(await add('team-b'), 137_000, 'You have sent too many messages. Try again later.');
  health.requireLogin(
    await add('research'),
    new LoginRequiredError('invalid_credentials', 'The site refused the user name or the password.', {
      evidence: {
        url: 'http://chat.example.test/login',
        title: 'Log in',
      },
    }),
  );
  await commands.disable(null, (await add('night-shift')).id);
}

function seedEnds(requests: RequestLog): void {
  for (const outcome of ENDED_BY_GATEWAY) {
    const path = '/v1/chat/completions';
    const log = requests.open({ id: `req_${outcome}`, method: 'POST', path, operation: 'completion' });
    log.add({ model: 'svc-max', account: 'team-a', client: 'curl', excerpt: 'Is it over?' });
    log.finish(outcome, {});
  }
}

/** A request that keeps running. */
function complete(): Promise<Response> {
  const messages = [{ role: 'user', content: 'Tell me a long story.' }];
  return dashboard.gateway.post({ model: 'svc-max', messages }, { signal: caller.signal });
}

async function unfoldFirst(page: Page): Promise<void> {
  await click(page, '.entry > summary');
  await page.waitForSelector('.entry-detail .trace');
}

/** Unfolds an entry with condensed results, the richest kind. */
async function unfold(page: Page): Promise<void> {
  const at = await inPage<number>(
    page,
    `[...document.querySelectorAll('.entry')].findIndex((entry) => /condensed/.test(entry.textContent))`,
  );
  const entry = (await page.$$('.entry > summary'))[at];
  await entry?.click();
  await page.waitForSelector('.entry-detail');
  await click(page, '.condensed > summary');
  // What stands in each of two must be told apart.
  await click(page, '.entry:not([open]) > summary');
  await page.waitForFunction(`document.querySelectorAll('.entry[open] .trace').length === 2`);
  await page.evaluate(`document.querySelector('.entry[open]').scrollIntoView()`);
}

describe.each(Object.entries(SCENES))('%s', (scene, { path, ready, prepare }) => {
  it('is accessible in light, in dark, and on a narrow screen', async () => {
    const page = await dashboard.open(path, { width: 1440 });
    await page.waitForSelector(ready);
    await prepare?.(page);
    await keepViews(page, scene);
  });
});

it('strikes through one bar of a chart, also after another range is chosen', async () => {
  const page = await dashboard.open();
  await page.evaluateOnNewDocument(`
    const { rect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.rect = function (...box) {
      window.struckWidth = box[2];
      rect.apply(this, box);
    };
  `);
  await page.reload();
  for (const [minutes, bars] of [
    ['60', 120],
    ['360', 72],
  ] as const) {
    await click(page, `#range [value="${minutes}"] + span`);
    await page.waitForFunction(
      `Math.round(
         (document.querySelector('#throughput .u-over')?.clientWidth * devicePixelRatio) / window.struckWidth,
       ) === ${bars}`,
    );
  }
});

it('tells pages, choices, bars and lines apart where the system forces its colours', async () => {
  const page = await dashboard.open();
  const media = await page.createCDPSession();
  await media.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
  await page.reload();
  await page.waitForSelector('#throughput .u-marker');
  const colours = (property: string, ...selectors: string[]) =>
    inPage<string[]>(
      page,
      `${JSON.stringify(selectors)}.map(
         (selector) => getComputedStyle(document.querySelector(selector)).${property})`,
    );
  for (const [property, ...selectors] of [
    ['borderBottomColor', 'nav a[aria-current]', 'nav a:not([aria-current])'],
    ['backgroundColor', '#range :checked + span', '#range :not(:checked) + span'],
    ['backgroundColor', '#pool .meter .idle', '#pool .meter'],
    ['backgroundColor', ...[2, 3, 4].map((at) => `#throughput .u-series:nth-child(${at}) .u-marker`)],
  ] as const) {
    const seen = await colours(property, ...selectors);
    expect(new Set(seen).size).toBe(selectors.length);
  }
});

it('is printed in dark ink, without its controls, and with the whole of each text', async () => {
  const page = await dashboard.open('/logs');
  await click(page, '#theme');
  await click(page, '#theme');
  await click(page, '.entry > summary');
  await page.waitForSelector('.entry-detail .code-box');
  const look = () =>
    inPage(
      page,
      `[
        getComputedStyle(document.body).color,
        getComputedStyle(document.querySelector('.code-box')).maxHeight !== 'none',
        document.querySelector('#filters').checkVisibility(),
      ]`,
    );
  expect(await look()).toEqual(['rgb(228, 233, 240)', true, true]);
  await page.emulateMediaType('print');
  expect(await look()).toEqual(['rgb(24, 32, 43)', false, false]);
});

it.each(['logs', 'network'])(
  'lays each row of %s out by itself, and has all of them read out',
  async (name) => {
    const page = await dashboard.open(`/${name}`);
    await page.setViewport({ width: 1440, height: 300 });
    await page.waitForSelector('[data-row]');
    expect(await inPage(page, `getComputedStyle(document.querySelector('#list > ol > li')).contain`)).toBe(
      'content',
    );
    const rows = await inPage<number>(page, `document.querySelectorAll('[data-row]').length`);
    const session = await page.createCDPSession();
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    // Each begins with its time.
    expect(nodes.filter(({ role }) => role?.value === 'time')).toHaveLength(rows);
  },
);

it('names each of its buttons to screen readers', async () => {
  const page = await dashboard.open('/logs');
  await click(page, '.entry > summary');
  await page.waitForSelector('.entry-detail .code-box');
  const session = await page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const names = nodes.filter(({ role }) => role?.value === 'button').map(({ name }) => String(name?.value));
  expect(names).toContain('Copy id');
  expect(names).not.toContain('');
});

it('is checked by rules that find planted faults', async () => {
  const page = await dashboard.open();
  await page.evaluate(`
    const bad = document.createElement('p');
    bad.textContent = 'Hardly to be seen';
    bad.style.color = 'var(--line)';
    document.querySelector('.page-head').append(bad, document.createElement('button'));
  `);
  const rules = (await findings(page)).map((finding) => finding.split(':')[0]);
  expect(rules).toEqual(['button-name', 'color-contrast']);
});
