import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url));
const KEY = 'key-of-the-gateway';

const dashboard = useDashboard({ API_KEY: KEY });

it.each(['/logs', '/network'])('leads from what is empty to where something is sent: %s', async (path) => {
  const page = await dashboard.open(path);
  await Promise.all([page.waitForNavigation(), click(page, '#list a')]);
  expect(new URL(page.url()).pathname).toBe('/dashboard/chat');
});

it('leads a person from the address of the gateway to a client that is connected', async () => {
  const { origin } = dashboard.gateway;
  const page = await dashboard.open('', { width: 1440 });
  await page.goto(`${origin}/`);
  expect(page.url()).toBe(`${origin}/dashboard`);
  await seeText(page, '#start', `Base URL ${origin}/v1 · models svc-max`);
  expect(await inPage(page, `document.querySelector('.start-card').open`)).toBe(true);
  await seeText(page, '#start pre', 'Authorization: Bearer $API_KEY');
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}/start-light.png`, fullPage: true });
  for (const [client, text] of [
    ['Python', 'from openai import OpenAI'],
    ['JavaScript', "import OpenAI from 'openai'"],
    ['Claude Code', `ANTHROPIC_BASE_URL=${origin} `],
    ['Codex', 'wire_api = "responses"'],
  ] as const) {
    await press(page, '#start', client);
    await seeText(page, '#start pre', text);
    expect(await textOf(page, '#start pre')).not.toContain(KEY);
  }
  expect(await inPage(page, `document.querySelector('#start a.button').pathname`)).toBe('/dashboard/chat');
  await page.setViewport({ width: 390, height: 844 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await page.screenshot({ path: `${FOLDER}/start-narrow.png`, fullPage: true });
  expect(await inPage(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

it.each([
  // As on plain HTTP from another machine.
  ['offers no clipboard', 'undefined'],
  ['refuses to write to it', '{ writeText: () => Promise.reject(new Error()) }'],
])(
  'copies a new key, alone or with what its owner needs, also where the browser %s',
  async (why, clipboard) => {
    const { origin } = dashboard.gateway;
    const page = await dashboard.open('/keys');
    await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', { value: ${clipboard} });
    document.addEventListener('copy', ({ target }) => (window.copied = target.value));
  `);
    await click(page, '#add');
    await page.locator('#key-form [name="name"]').fill(why.replaceAll(' ', '-'));
    await click(page, '#key-form [type="submit"]');
    await page.waitForSelector('#new-secret');
    const secret = await textOf(page, '#new-secret');
    for (const [button, copied] of [
      [
        1,
        [
          `# Set-ups of Claude Code and others, limits, usage: ${origin}/dashboard`,
          `OPENAI_BASE_URL=${origin}/v1`,
          `OPENAI_API_KEY=${secret}`,
          `ANTHROPIC_BASE_URL=${origin}`,
          `ANTHROPIC_API_KEY=${secret}`,
          `GOOGLE_GEMINI_BASE_URL=${origin}`,
          `GEMINI_API_KEY=${secret}`,
          '',
        ].join('\n'),
      ],
      [2, secret],
    ] as const) {
      await click(page, `dialog .dialog-foot button:nth-of-type(${button})`);
      await seeText(page, `dialog .dialog-foot button:nth-of-type(${button})`, 'Copied');
      expect(await inPage(page, 'window.copied')).toBe(copied);
    }
  },
);

it('shows a person who is lost a page that leads back', async () => {
  const page = await dashboard.open();
  await page.goto(`${dashboard.gateway.origin}/dashboard/typo`);
  await seeText(page, 'main', 'There is nothing for a browser at this address');
  await page.screenshot({ path: `${FOLDER}/lost-light.png` });
  await Promise.all([page.waitForNavigation(), press(page, 'main', 'Open the dashboard')]);
  await seeText(page, 'h1', 'Overview');
});
