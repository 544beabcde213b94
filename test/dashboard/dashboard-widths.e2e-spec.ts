import { beforeAll, expect, it } from '@jest/globals';
import { click, inPage, seeText } from '../support/browser/dashboard-browser.js';
import { PAGE_PATHS } from '../support/browser/page-paths.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';

const API_KEY = 'test-operator-key';
/** From a window of half a screen to a laptop. */
const WIDTHS = [961, 1024, 1100, 1200, 1280];

const dashboard = useDashboard({ API_KEY });

/** A name within which no line may end. */
const LONG = 'WITHOUT_END_'.repeat(14);

function make(properties: object, kind = 'keys'): Promise<Response> {
  return fetch(`${dashboard.gateway.origin}/dashboard/api/${kind}`, {
    method: 'POST',
    headers: { ...dashboard.withKey.headers, 'content-type': 'application/json' },
    body: JSON.stringify(properties),
  });
}

beforeAll(async () => {
  const added = await make({ name: LONG.slice(0, 100), credentials: { key: 'sk' } }, 'accounts');
  const bound = await make({ name: 'bound', models: [LONG] });
  const made = await make({
    name: 'continuous-integration.of-the-platform-team',
    role: 'caller',
    tokensPerDay: 5000,
  });
  expect([added.status, bound.status, made.status]).toEqual([201, 201, 201]);
  const { secret } = (await made.json()) as { secret: string };
  await dashboard.gateway.complete(ASK, { headers: { authorization: `Bearer ${secret}` } });
});

it('keeps each name of the navigation in one line, whatever the state beside it', async () => {
  const page = await dashboard.open('/logs');
  await page.waitForSelector('#sign:not([hidden])');
  // The longest words of the header.
  await page.evaluate(`
    document.querySelector('#sign').textContent = 'Standing by';
    document.querySelector('#live').textContent = 'Reconnecting';
  `);
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 600 });
    const found = await inPage(
      page,
      `({
        lines: Math.max(
          ...[...document.querySelectorAll('.top nav a')].map((link) => {
            const range = document.createRange();
            range.selectNodeContents(link);
            return new Set([...range.getClientRects()].map(({ top }) => top)).size;
          }),
        ),
        overflow: document.documentElement.scrollWidth - innerWidth,
        covered: document.querySelector('.top nav').getBoundingClientRect().right >
          document.querySelector('.top .tools').getBoundingClientRect().left,
      })`,
    );
    expect([width, found]).toEqual([width, { lines: 1, overflow: 0, covered: false }]);
  }
});

it.each([
  [1440, 32],
  [390, 24],
])(
  'shows text in the size that the browser is set to, on a screen of %s px with %s px',
  async (width, size) => {
    const page = await dashboard.open('', { width });
    const devtools = await page.createCDPSession();
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: size } });
    for (const path of PAGE_PATHS) {
      await page.goto(`${dashboard.gateway.origin}/dashboard${path}`);
      await page.waitForSelector('#sign:not([hidden])');
      const found = await inPage(
        page,
        `({
        text: parseFloat(getComputedStyle(document.body).fontSize),
        overflow: document.documentElement.scrollWidth - innerWidth,
      })`,
      );
      expect([path, found]).toEqual([path, { text: (size * 14) / 16, overflow: 0 }]);
    }
  },
);

it('shows how each exchange ended, also beside one that is open', async () => {
  dashboard.gateway.networkLog
    .begin({ account: 'team', method: 'POST', url: 'http://upstream.test/chat', headers: {}, body: '{}' })
    .end('cancelled');
  const page = await dashboard.open('/network?show=all', { width: 1440 });
  await click(page, 'button.exchange');
  await page.waitForSelector('#detail:not([hidden])');
  for (const width of [...WIDTHS, 1440]) {
    await page.setViewport({ width, height: 600 });
    const isCut = await inPage(
      page,
      `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(
         document.querySelector('.exchange .badge').parentElement)`,
    );
    expect([width, isCut]).toEqual([width, false]);
  }
});

it('shows all that can be done with a key on any screen, and when zoomed in', async () => {
  const page = await dashboard.open('/keys');
  await page.waitForSelector('.key-row .actions');
  for (const width of [390, 720, 1024, 1280]) {
    await page.setViewport({ width, height: 844 });
    const hidden = await inPage(
      page,
      `[...document.querySelectorAll('#list button')]
        .filter((button) => {
          const box = button.closest('.table-box').getBoundingClientRect();
          const { left, right } = button.getBoundingClientRect();
          return left < box.left || right > box.right;
        })
        .map(({ ariaLabel }) => ariaLabel)`,
    );
    expect([width, hidden]).toEqual([width, []]);
  }
});

it('leaves room for what can be done with keys, however long the models of one are', async () => {
  const page = await dashboard.open('/keys', { width: 1280 });
  await page.waitForSelector('.key-row .actions button');
  const lines = await inPage<number[]>(
    page,
    `[...document.querySelectorAll('.key-row .actions')].map(
      ({ children }) => new Set([...children].map(({ offsetTop }) => offsetTop)).size,
    )`,
  );
  expect(Math.max(...lines)).toBeLessThan(3);
});

it('breaks long names in the list of actions, and not letter by letter', async () => {
  const page = await dashboard.open('/keys', { width: 1280 });
  await seeText(page, '#audit', LONG.slice(0, 100));
  const heights = `[...document.querySelectorAll('#audit tbody tr')].map(({ offsetHeight }) => offsetHeight)`;
  expect(Math.max(...(await inPage<number[]>(page, heights)))).toBeLessThan(200);
});

it('keeps notices below the header, where the page is scrolled', async () => {
  const page = await dashboard.open('/settings');
  await page.waitForSelector('.setting');
  for (const width of [390, 1280]) {
    await page.setViewport({ width, height: 844 });
    const covered = await inPage(
      page,
      `['#notices', '#stale'].filter((place) => {
         const notice = document.createElement('p');
         notice.className = 'notice bad';
         notice.textContent = 'What you see may be old.';
         document.querySelector(place).append(notice);
         scrollTo(0, 1000);
         const isCovered =
           notice.getBoundingClientRect().top < document.querySelector('.top').getBoundingClientRect().bottom - 1;
         notice.remove();
         return isCovered;
       })`,
    );
    expect([width, covered]).toEqual([width, []]);
  }
});

it('keeps a long name beside its figure in the legend of a chart', async () => {
  const page = await dashboard.open('/keys', { width: 390 });
  const row = '#usage-chart .u-legend .u-series:nth-child(2)';
  await page.waitForSelector(row);
  expect(await inPage(page, `document.querySelector('${row}').innerText`)).toContain(
    'continuous-integration',
  );
  const [name, figure] = await inPage<number[]>(
    page,
    `['.u-label', '.u-value'].map((part) => document.querySelector('${row} ' + part).getBoundingClientRect().bottom)`,
  );
  expect(Math.abs(name! - figure!)).toBeLessThan(10);
});
