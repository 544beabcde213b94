import { describe, expect, it } from '@jest/globals';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { readBody } from '../support/gateway/read-body.js';
import { answer, failed, hangs, resets } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const dashboard = useDashboard({ RETRY_MAX_ATTEMPTS: 1 });

async function ask(
  content: string,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<string> {
  const body = { model: 'svc-max', messages: [{ role: 'user', content }], ...more };
  const response = await dashboard.gateway.post(body, { headers });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

/** A request that fails, and one that does not, since failures in a row would have the next ones refused. */
async function askInVain(): Promise<string> {
  dashboard.stub.answerNextWith(failed(500), answer());
  const id = await ask('fails');
  await ask('works');
  return id;
}

const entry = (id: string): string => `[data-entry="${id}"]`;

describe('rows', () => {
  it('tell what was asked, by whom, and why it failed', async () => {
    dashboard.stub.answerNextWith(failed(500), answer());
    const bad = await ask('Does it\n\nwork?', { 'user-agent': 'curl/8.5.0' });
    const good = await ask('Now it does.', { 'user-agent': 'OpenAI/JS 6' });
    const page = await dashboard.open('/logs');
    await seeText(page, `${entry(bad)} .about`, 'The upstream answered with an error · Does it work?');
    expect(await textOf(page, `${entry(bad)} .caller`)).toBe('curl/8.5.0');
    expect(await textOf(page, `${entry(good)} .about`)).toBe('Now it does.');
    await click(page, `${entry(bad)} summary`);
    await seeText(page, `${entry(bad)} .notice.bad`, 'The upstream answered with an error');
  });

  it('are found by time, reason, client, duration and attempt, and sorted', async () => {
    dashboard.stub.answerNextWith(
      failed(500),
      answer({ pieces: ['a', 'b', 'c'], intervalMs: 150 }),
      answer(),
    );
    const bad = await ask('failing', { 'user-agent': 'curl/9' });
    const slow = await ask('slow', { 'user-agent': 'Slow/1' });
    await ask('fast', { 'user-agent': 'Fast/1' });
    const page = await dashboard.open('/logs?time=hour');
    await seeText(page, '#summary', 'since');
    await page.select('[name="status"]', 'failed');
    await eventually(PATIENCE_MS, async () =>
      expect(
        await inPage(
          page,
          `[...new Set([...document.querySelectorAll('.entry')].map((e) => e.dataset.outcome))].join()`,
        ),
      ).toBe('upstream_error'),
    );
    await page.select('[name="status"]', '');
    await click(page, '#more-filters > summary');
    await page.locator('[name="client"]').fill('curl/9');
    await page.select('[name="reason"]', 'upstream_error');
    await eventually(PATIENCE_MS, () =>
      expect(page.url()).toContain('time=hour&reason=upstream_error&client=curl%2F9'),
    );
    await seeText(page, '#summary', '1 request shown');
    expect(await page.$(entry(bad))).not.toBeNull();
    await press(page, '#filters', 'Reset');
    await page.locator('[name="q"]').fill('upstream status 500');
    await seeText(page, entry(bad), 'failing');
    await page.select('[name="time"]', 'yesterday-evening');
    await seeText(page, '#list', 'No request fits these filters');
    await seeText(page, '#summary', '0 requests shown');
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?sort=slowest`);
    await page.waitForSelector('.entry');
    // On a busy machine that is not always the one whose answer was slow.
    const response = await fetch(`${dashboard.gateway.origin}/log/json?content=0`);
    const { entries } = (await response.json()) as { entries: { id: string; totalMs: number }[] };
    const [slowest] = entries.toSorted((a, b) => b.totalMs - a.totalMs);
    expect(entries.map(({ id }) => id)).toContain(slow);
    expect(await inPage(page, `document.querySelector('.entry').dataset.entry`)).toBe(slowest?.id);
  });

  it('are gone to by a key where they failed, and their link is copied by another', async () => {
    const bad = await askInVain();
    const page = await dashboard.open('/logs');
    await page
      .browserContext()
      .overridePermissions(dashboard.gateway.origin, ['clipboard-read', 'clipboard-sanitized-write']);
    await page.waitForSelector(entry(bad));
    await page.keyboard.press('c');
    await seeText(page, '.toast', 'Go to a request first');
    await page.keyboard.press('e');
    expect(await inPage(page, `document.activeElement.closest('[data-entry]').dataset.entry`)).toBe(bad);
    await page.keyboard.press('c');
    await seeText(page, '.toast', 'Link copied');
    expect(await inPage(page, 'navigator.clipboard.readText()')).toBe(
      `${dashboard.gateway.origin}/dashboard/logs?id=${bad}`,
    );
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?status=ok`);
    await page.waitForSelector('.entry');
    await page.keyboard.press('e');
    await seeText(page, '.toast', 'No failed request in this list');
  });

  it('are found by the error that a program showed', async () => {
    const bad = await askInVain();
    const page = await dashboard.open('/logs');
    await page.waitForSelector(entry(bad));
    const message = 'Internal server error: the upstream failed to answer.';
    // Longer than the log takes for a search.
    const shown = `${'File "agent.py", line 7, in run '.repeat(9)} openai.InternalServerError: Error code: 500 - {'error': {'message': '${message}', 'type': 'server_error'}}`;
    await page.locator('[name="q"]').fill(shown);
    await seeText(page, '#summary', `with the text “${message}”`);
    await page.waitForSelector(entry(bad));
    expect(await page.$('.entry:not([data-outcome="upstream_error"])')).toBeNull();
  });

  it('are found by what was sent for them, word for word', async () => {
    const id = await ask(JSON.stringify({ message: 'first line\nsecond line' }));
    const page = await dashboard.open('/network');
    await page.locator('[name="q"]').fill(String.raw`{\"message\":\"first line\\nsecond line\"}`);
    await page.waitForFunction(`location.search.startsWith('?q=')`);
    await seeText(page, '#summary', '1 exchange shown');
    await page.waitForSelector(`#list a[href*="${id}"]`);
  });

  it('are found by the id of an answer that broke off, however much else it stands in', async () => {
    dashboard.stub.answerNextWith(resets(2), answer());
    const response = await dashboard.gateway.post({
      model: 'svc-max',
      messages: [{ role: 'user', content: 'Break off.' }],
      stream: true,
    });
    const { text } = await readBody(response);
    const [, answerId = ''] = /"id":"(chatcmpl-[^"]+)"/.exec(text) ?? [];
    await ask('works');
    const page = await dashboard.open('/logs');
    await page.waitForSelector('.entry');
    await page.locator('[name="q"]').fill(`run failed: {"trace":1,"response_id":"${answerId}"}`);
    await seeText(page, '#pinned .entry-detail', response.headers.get('x-request-id') ?? '');
    await page.waitForFunction(`document.activeElement.matches('#pinned [data-row]')`);
    await press(page, '#pinned', 'Show all requests');
    await seeText(page, '#list', 'works');
    expect(await inPage(page, 'location.search')).toBe('');
  });

  it('are all found by the id of the request whose answers they are', async () => {
    dashboard.stub.answerNextWith(answer(), failed(500), answer());
    const response = await dashboard.gateway.post({
      model: 'svc-max',
      messages: [{ role: 'user', content: 'Twice, please.' }],
      n: 2,
    });
    await readBody(response);
    const id = response.headers.get('x-request-id') ?? '';
    await ask('works');
    const page = await dashboard.open('/logs');
    await page.waitForSelector(entry(`${id}-2`));
    await page.locator('[name="q"]').fill(`the run failed: ${id}`);
    await seeText(page, '#summary', '2 requests shown');
    await page.waitForSelector(`${entry(`${id}-2`)}[data-outcome="upstream_error"]`);
    await page.waitForSelector(entry(id));
    const looked = page.waitForResponse((got) => got.url().endsWith(`${id}-2`));
    await page.type('[name="q"]', '-');
    await looked;
    await page.type('[name="q"]', '2');
    await seeText(page, '#pinned .entry-detail', `${id}-2`);
  });

  it('keep the span of a link when another filter is changed, also in the hour that a clock repeats', async () => {
    const page = await dashboard.open('/logs');
    await page.emulateTimezone('America/New_York');
    const from = Date.parse('2026-11-01T05:30:15.250Z');
    const span = `from=${from}&until=${from + 3_600_000}`;
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?${span}`);
    await seeText(page, '#list', 'No request fits these filters');
    await page.select('[name="status"]', 'failed');
    await page.waitForFunction(`location.search.includes('status=failed')`);
    expect(await inPage(page, 'location.search')).toContain(span);
    await page.locator('[name="until"]').fill('2026-11-01T09:00:00');
    await page.waitForFunction(`location.search.includes('until=${Date.parse('2026-11-01T14:00:00Z')}')`);
  });

  it('are what a tile and a bar of the overview lead to', async () => {
    await ask('for the overview');
    await fetch(`${dashboard.gateway.origin}/v1/models`);
    const page = await dashboard.open();
    await page.waitForSelector('#tiles a');
    await Promise.all([page.waitForNavigation(), press(page, '#tiles', 'Requests')]);
    await seeText(page, '#list', 'for the overview');
    expect(await textOf(page, '#list')).not.toContain('/v1/models');
    await page.select('[name="operation"]', '');
    await seeText(page, '#list', '/v1/models');
    await page.goto(`${dashboard.gateway.origin}/dashboard`);
    await page.waitForSelector('#tiles a');
    await Promise.all([page.waitForNavigation(), press(page, '#tiles', 'Errors')]);
    expect(page.url()).toContain('/logs?operation=completion&time=hour&status=failed');
    await page.goto(`${dashboard.gateway.origin}/dashboard`);
    await page.waitForSelector('#throughput .u-over');
    const box = await (await page.$('#throughput .u-over'))?.boundingBox();
    if (!box) {
      throw new Error('There is no chart.');
    }
    const at = (share: number): [number, number] => [box.x + box.width * share, box.y + box.height / 2];
    // A bar is a bucket of 30 s, which may be over by now; the half of the chart that is dragged over holds the request.
    await page.mouse.move(...at(0.5));
    await page.mouse.down();
    await page.mouse.move(...at(0.99), { steps: 4 });
    await Promise.all([page.waitForNavigation(), page.mouse.up()]);
    const span = new URL(page.url()).searchParams;
    expect(Number(span.get('until')) - Number(span.get('from'))).toBeGreaterThan(20 * 60_000);
    await page.goto(`${dashboard.gateway.origin}/dashboard`);
    await page.waitForSelector('#throughput .u-over');
    await page.mouse.move(...at(0.8));
    await Promise.all([page.waitForNavigation(), page.mouse.click(...at(0.9))]);
    const query = new URL(page.url()).searchParams;
    expect(Number(query.get('until')) - Number(query.get('from'))).toBe(30_000);
  });
});

describe('charts', () => {
  it.each([
    ['', '#throughput', 'UTC+05:30', /^\d+ \w+ \d\d:\d\d(:\d\d)? – .*UTC\+05:30$/],
    ['/keys', '#usage-chart', 'UTC', /^\d{4}-\d\d-\d\d UTC$/],
  ])('name the zone of their axis, and the time under the pointer: %s%s', async (path, chart, zone, time) => {
    await ask('of some time');
    const page = await dashboard.open();
    await page.emulateTimezone('Asia/Kolkata');
    await page.goto(`${dashboard.gateway.origin}/dashboard${path}`);
    const shown = `${chart} .u-legend tr:first-child td`;
    await seeText(page, shown, zone);
    const idle = await textOf(page, shown);
    await page.hover(`${chart} .u-over`);
    await page.waitForFunction(`document.querySelector('${shown}').innerText !== '${idle}'`);
    expect([idle, await textOf(page, shown)]).toEqual([zone, expect.stringMatching(time)]);
  });
});

describe('names and figures', () => {
  it.each([
    ['a model of the overview', '', '#capacity td a', '/logs?operation=completion&time=hour&model=svc-max'],
    ['an account of the overview', '', '.glance a', '/logs?operation=completion&time=hour&account=key-'],
    ['the requests of an account', '/accounts', '.account dd a', '/logs?account=key-'],
    ['the failures of an account', '/accounts', '.account div:nth-child(4) > dd a', '&status=failed'],
    ['a row of the usage', '/keys', '#usage td a', '/logs?operation=completion&model=svc-max'],
  ])('lead to their requests: %s', async (_what, path, link, address) => {
    const id = await askInVain();
    const page = await dashboard.open(path);
    if (path === '/keys') {
      await page.select('#usage-by', 'model');
    }
    await page.waitForSelector(link);
    await Promise.all([page.waitForNavigation(), click(page, link)]);
    expect(page.url()).toContain(address);
    await page.waitForSelector(entry(id));
  });

  it('lead from the errors to their reasons, and from each to its requests', async () => {
    const id = await askInVain();
    const page = await dashboard.open();
    await press(page, '#tiles', 'by callers');
    await seeText(page, '#capacity .plain-table', 'The upstream answered with an error');
    expect(await textOf(page, '#capacity .plain-table')).toContain('Its exchange shows the response.');
    expect(await inPage(page, `document.querySelector('#capacity :checked').value`)).toBe('reason');
    await Promise.all([page.waitForNavigation(), press(page, '#capacity', 'The upstream answered')]);
    expect(page.url()).toContain('/logs?operation=completion&time=hour&reason=upstream_error');
    await page.waitForSelector(entry(id));
  });

  it('have the focus still when they are drawn again', async () => {
    await ask('once');
    const page = await dashboard.open('/accounts');
    await page.waitForSelector('.account dd a');
    await page.focus('.account dd a');
    const shown = await textOf(page, '.account dd a');
    await ask('again');
    await eventually(PATIENCE_MS, async () => expect(await textOf(page, '.account dd a')).not.toBe(shown));
    expect(await page.$('.account dd a:focus')).not.toBeNull();
  });
});

describe('texts', () => {
  it('say that they are cut, and are kept whole for a time on demand', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
    const id = await ask('x'.repeat(29_489), {}, { tools, seed: 7 });
    const page = await dashboard.open(`/logs?id=${id}`);
    await seeText(page, '#pinned', 'First 500 of 29,489 characters.');
    await seeText(page, '#pinned', '1 tool offered');
    await seeText(page, '#pinned', 'As curl: texts are cut as above, without its tools.');
    await press(page, '#pinned', 'Keep full texts for 15 minutes');
    await seeText(page, '#status', 'The log keeps full texts of new requests for 1');
    expect(await page.title()).not.toContain('(!)');
    const whole = await ask('y'.repeat(600), {}, { tools, seed: 7 });
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?id=${whole}`);
    await seeText(page, '#pinned', 'y'.repeat(600));
    expect(await textOf(page, '#pinned')).not.toMatch(/First 500|As curl:/);
    await press(page, '#status', 'Stop');
    await eventually(PATIENCE_MS, async () => expect(await textOf(page, '#status')).toBe(''));
  });

  it('run in the direction of their writing', async () => {
    const page = await dashboard.open(`/logs?id=${await ask('مرحبا، كيف حالك؟\nHello, how are you?')}`);
    const box = '#pinned .entry-detail pre';
    await seeText(page, box, 'Hello');
    const startsAtRight = await inPage(
      page,
      `(() => {
        const box = document.querySelector('${box}').getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('${box}').firstChild);
        return [...range.getClientRects()]
          .filter(({ width }) => width > 0)
          .map(({ left, right }) => left - box.left > box.right - right);
      })()`,
    );
    expect(startsAtRight).toEqual(expect.arrayContaining([true, false]));
    expect(await textOf(page, '#pinned .about bdi')).toBe('مرحبا، كيف حالك؟ Hello, how are you?');
  });

  it('are cut at their end, whatever their direction', async () => {
    const texts = ['مرحبا كيف حالك '.repeat(20), 'Hello, how are you? '.repeat(20)];
    const ids = await Promise.all(texts.map((text) => ask(text)));
    const page = await dashboard.open('/logs', { width: 390 });
    for (const id of ids) {
      const about = `.entry[data-entry="${id}"] .about`;
      await page.waitForSelector(about);
      const [first, last] = await inPage<boolean[]>(
        page,
        `(() => {
          const box = document.querySelector('${about}').getBoundingClientRect();
          const text = document.querySelector('${about} bdi').firstChild;
          return [0, text.length - 2].map((at) => {
            const range = document.createRange();
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            const { left, right } = range.getBoundingClientRect();
            return left >= box.left - 1 && right <= box.right + 1;
          });
        })()`,
      );
      expect([first, last]).toEqual([true, false]);
    }
  });

  it('of a running request show at once', async () => {
    dashboard.stub.answerNextWith(hangs(1));
    const caller = new AbortController();
    const body = { model: 'svc-max', messages: [{ role: 'user', content: 'Are you there?' }] };
    const response = await dashboard.gateway.post(body, { signal: caller.signal });
    const id = response.headers.get('x-request-id') ?? '';
    const page = await dashboard.open(`/logs?id=${id}`);
    await seeText(page, '#pinned .messages', 'user Are you there?');
    await seeText(page, '#pinned .role-answer', '0');
    caller.abort();
    await response.text().catch(() => undefined);
  });
});
