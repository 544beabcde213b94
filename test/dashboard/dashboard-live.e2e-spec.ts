import { beforeAll, describe, expect, it } from '@jest/globals';
import { type HTTPRequest, type Page } from 'puppeteer';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { hangs, resets } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** More than a page of the log holds. */
const MANY = 55;

const dashboard = useDashboard();
beforeAll(async () => {
  await askFor(MANY);
});

async function open(path: string, options: { isWithoutWorkers?: boolean } = {}): Promise<Page> {
  const page = await dashboard.open(path, options);
  await seeText(page, '#live', 'Updating');
  await page.waitForSelector('.entries > li');
  return page;
}

/** Sends requests one after the other. @returns their ids, oldest first */
async function askFor(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    ids.push((await dashboard.gateway.complete(ASK)).headers.get('x-request-id') ?? '');
  }
  return ids;
}

const firstRows = (page: Page, count: number): Promise<string[]> =>
  inPage(
    page,
    `[...document.querySelectorAll('.entries > li > *')].slice(0, ${count}).map((row) => row.dataset.entry)`,
  );

/** Simulates the tab going to the background or coming to the front. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  inPage(
    page,
    `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
     document.dispatchEvent(new Event('visibilitychange'));`,
  );

/** Answers matching requests of a page with a status, or aborts them with 0. @returns function that ends it */
async function intercept(page: Page, path: RegExp, status: number): Promise<() => void> {
  let isOver = false;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (isOver || !path.test(request.url())) {
      void request.continue();
    } else if (status === 0) {
      void request.abort('connectionrefused');
    } else {
      void request.respond({ status, body: '{"error":{"message":"It cannot be read at present."}}' });
    }
  });
  return () => (isOver = true);
}

interface TraceEvent {
  readonly ts: number;
  readonly args: { readonly data?: { readonly message?: string }; readonly elementCount?: number };
}

function traceEvents(trace: Uint8Array | undefined): readonly TraceEvent[] {
  return (JSON.parse(Buffer.from(trace ?? []).toString()) as { traceEvents: TraceEvent[] }).traceEvents;
}

it('reads at once what the overview is made of', async () => {
  const page = await dashboard.open('/logs');
  await page.setRequestInterception(true);
  const isOf = (name: string) => (request: HTTPRequest) =>
    new URL(request.url()).pathname === `/dashboard/api/${name}`;
  const isHeld = isOf('overview');
  page.on('request', (request) => (isHeld(request) ? undefined : void request.continue()));
  const wanted = ['overview', 'clients', 'capacity'].map((name) =>
    page.waitForRequest(isOf(name), { timeout: PATIENCE_MS }),
  );
  await Promise.all([...wanted, page.goto(`${dashboard.gateway.origin}/dashboard`)]);
});

describe('a row that is added to a long list', () => {
  it.each(['/logs', '/network'])('has no other row styled again: %s', async (path) => {
    const page = await dashboard.open(path);
    await page.waitForFunction(`document.querySelectorAll('#list > ol > li').length >= 50`);
    await page.tracing.start({ categories: ['devtools.timeline'] });
    const added = await inPage<number>(
      page,
      `{
        const rows = document.querySelector('#list > ol');
        const row = rows.firstElementChild.cloneNode(true);
        document.body.offsetHeight;
        console.timeStamp('added');
        rows.prepend(row);
        document.body.offsetHeight;
        console.timeStamp('styled');
        row.querySelectorAll('*').length + 1;
      }`,
    );
    const events = traceEvents(await page.tracing.stop());
    const [from = NaN, until = NaN] = ['added', 'styled'].map(
      (mark) => events.find(({ args }) => args.data?.message === mark)?.ts,
    );
    const counts = events
      .filter(({ ts }) => ts > from && ts < until)
      .map(({ args }) => args.elementCount ?? 0);
    const styled = counts.reduce((sum, count) => sum + count, 0);
    expect(styled).toBeGreaterThanOrEqual(added);
    expect(styled).toBeLessThan(added + 25);
  });
});

describe('held back records', () => {
  it('are shown before newer ones', async () => {
    const page = await open('/logs');
    await inPage(page, 'scrollTo(0, 600)');
    const [held = ''] = await askFor(1);
    await seeText(page, '#show-new', '1 new');
    await inPage(page, 'scrollTo(0, 0)');
    const [newest = ''] = await askFor(1);
    await eventually(PATIENCE_MS, async () => expect(await firstRows(page, 2)).toEqual([newest, held]));
    expect(await page.$('#show-new:not([hidden])')).toBeNull();
  });

  it('do not move a paused list, and fill it without a gap after a long absence', async () => {
    const page = await open('/logs');
    await click(page, '#pause');
    const before = await firstRows(page, 50);
    // One live event gives the page a cursor.
    await askFor(1);
    await seeText(page, '#show-new', '1 new');
    await setHidden(page, true);
    const missed = await askFor(MANY);
    await inPage(
      page,
      `window.drawn = 0;
       new MutationObserver((changes) => (drawn += changes.length))
         .observe(document.querySelector('#show-new'), { childList: true });`,
    );
    await setHidden(page, false);
    await seeText(page, '#live', 'Paused');
    await seeText(page, '#show-new', `${MANY + 1}`);
    expect(await inPage(page, 'drawn')).toBeLessThan(MANY / 2);
    expect(await firstRows(page, 50)).toEqual(before);
    await click(page, '#pause');
    await eventually(PATIENCE_MS, async () =>
      expect(await firstRows(page, 50)).toEqual(missed.toReversed().slice(0, 50)),
    );
  });
});

describe('the overview over a slow connection', () => {
  it('shows its figures although requests come all the time', async () => {
    const page = await open('');
    await page.emulateNetworkConditions({ latency: 2500, download: -1, upload: -1 });
    await press(page, '#range', '6 h');
    await eventually(PATIENCE_MS, async () => {
      await askFor(1);
      expect(await textOf(page, '#bucket')).toContain('requests in each 5 min');
    });
  });

  it('does not show the capacity of a time that is not chosen any more, however late it comes', async () => {
    const page = await open('');
    const held = Promise.withResolvers<HTTPRequest>();
    const isHeld = (url: string): boolean => url.endsWith('/api/capacity?minutes=10080');
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      isHeld(request.url()) ? held.resolve(request) : void request.continue(),
    );
    const linked = (): Promise<string> =>
      inPage(page, `document.querySelector('#capacity td a')?.getAttribute('href') ?? ''`);
    await press(page, '#range', '7 d');
    const late = await held.promise;
    await press(page, '#range', '15 min');
    await eventually(PATIENCE_MS, async () => expect(await linked()).toContain('time=15min'));
    const answer = page.waitForResponse((response) => isHeld(response.url()));
    await late.continue();
    await (await answer).text();
    // What a page does with an answer it has done by the next frame but one.
    await inPage(page, 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await linked()).toContain('time=15min');
  });
});

describe('a page that cannot be refreshed', () => {
  it.each(['', '/logs'])('is not shown as live: %s', async (path) => {
    const page = await open(path, { isWithoutWorkers: true });
    await intercept(page, /./, 0);
    await setHidden(page, true);
    await setHidden(page, false);
    await seeText(page, '#live', 'Reconnecting');
    await click(page, '#pause');
    await click(page, '#pause');
    expect(await textOf(page, '#live')).not.toBe('Updating');
    await seeText(page, '#live', 'Reconnecting');
  });

  it.each([
    ['', /api\/overview/, '#range', '6 h'],
    ['/accounts', /api\/accounts/, '', ''],
    ['/logs', /log\/json/, '.more', 'Load older'],
    ['/network', /log\/json/, '.more', 'Load older'],
  ])('says so if the gateway answers with an error: %s', async (path, failing, place, button) => {
    const page = await dashboard.open(path);
    await page.waitForSelector('.tile, .account, #older:not([hidden])');
    const restore = await intercept(page, failing, 500);
    if (button !== '') {
      await press(page, place, button);
    }
    await seeText(page, '#stale', 'What you see may be old. It cannot be read at present.');
    restore();
    if (button !== '') {
      await press(page, place, button);
    }
    await page.waitForSelector('#stale .notice', { hidden: true });
  });
});

it('reads an entry that was unfolded while the gateway was away once it is back', async () => {
  const page = await open('/logs', { isWithoutWorkers: true });
  const restore = await intercept(page, /./, 0);
  await click(page, '.entry > summary');
  await seeText(page, '.entry-place', 'This could not be loaded');
  restore();
  await page.waitForSelector('.entry-place .entry-detail');
});

describe('a broken exchange', () => {
  it('is updated in the open pane, and can be filtered', async () => {
    dashboard.stub.answerNextWith(hangs(1));
    const page = await dashboard.open('/network?status=pending');
    await seeText(page, '#live', 'Updating');
    const caller = new AbortController();
    const response = await dashboard.gateway.post(ASK, { signal: caller.signal });
    await click(page, 'button.exchange');
    await seeText(page, '#detail', 'still running');
    await page.select('[name="status"]', '');
    await page.waitForFunction(`document.querySelectorAll('button.exchange').length > 1`);
    caller.abort();
    await response.text().catch(() => undefined);
    await seeText(page, 'button.exchange', 'cancelled');
    await eventually(PATIENCE_MS, async () =>
      expect(await textOf(page, '#detail')).not.toContain('still running'),
    );
    await page.select('[name="status"]', 'cancelled');
    await eventually(PATIENCE_MS, async () => expect(await page.$$('button.exchange')).toHaveLength(1));
  });

  it('is updated where its request alone is shown', async () => {
    dashboard.stub.answerNextWith(hangs(1));
    const caller = new AbortController();
    const response = await dashboard.gateway.post(ASK, { signal: caller.signal });
    const id = response.headers.get('x-request-id') ?? '';
    const page = await dashboard.open(`/network?request=${id}`);
    await click(page, 'button.exchange');
    await seeText(page, '#detail', 'still running');
    const pinned = await dashboard.open(`/logs?id=${id}`);
    await click(pinned, '#pinned summary');
    await pinned.waitForSelector('#pinned details:not([open])');
    await seeText(pinned, '#pinned details .outcome', 'answering');
    caller.abort();
    await response.text().catch(() => undefined);
    await seeText(pinned, '#pinned details .outcome', 'cancelled');
    await page.bringToFront();
    await seeText(page, 'button.exchange', 'cancelled');
    await eventually(PATIENCE_MS, async () =>
      expect(await textOf(page, '#detail')).not.toContain('still running'),
    );
  });

  it('is shown as failed although its status was 200', async () => {
    dashboard.stub.answerNextWith(resets(1));
    const id = (await dashboard.gateway.complete(ASK)).headers.get('x-request-id') ?? '';
    const page = await open(`/logs?id=${id}`);
    await seeText(page, '#pinned .exchanges', 'failed');
    await page.goto(`${dashboard.gateway.origin}/dashboard/network?status=upstream_error`);
    await seeText(page, 'button.exchange', 'failed');
  });

  it('moves the bars of others as it lasts, and draws nothing else of them again', async () => {
    await dashboard.gateway.complete(ASK);
    const page = await dashboard.open('/network');
    await page.waitForSelector('button.exchange');
    await page.evaluate(`window.cells = [...document.querySelector('button.exchange').children]`);
    const received = `cells.find((cell) => cell.matches('.timing')).lastElementChild.style.left`;
    const before = await inPage(page, received);
    dashboard.stub.answerNextWith(hangs(1));
    const caller = new AbortController();
    const response = await dashboard.gateway.post(ASK, { signal: caller.signal });
    await eventually(PATIENCE_MS, async () => {
      await dashboard.gateway.complete(ASK);
      expect(await inPage(page, received)).not.toBe(before);
    });
    expect(await inPage(page, `cells.every((cell) => cell.isConnected)`)).toBe(true);
    caller.abort();
    await response.text().catch(() => undefined);
  });

  it('is gone with its request', async () => {
    const page = await dashboard.open('/network?request=req_gone');
    await seeText(page, '#list .state', 'This request is not in the log');
  });
});
