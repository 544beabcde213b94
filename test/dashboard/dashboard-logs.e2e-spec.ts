import { describe, expect, it } from '@jest/globals';
import { keepPicture } from '../support/browser/appearance.js';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { answer, chunk, hangs, rateLimited } from '../support/upstream/openai-stub-plans.js';

const KEY = 'key-of-the-gateway';

const dashboard = useDashboard({
  API_KEY: KEY,
  LOG_CONTENT: 'full',
  UPSTREAM_API_KEYS: 'sk-one,sk-two',
  RATE_LIMIT_COOLDOWN_MS: 200,
  WAIT_FOR_COOLDOWN_MS: 0,
});

/** Asks for a completion and returns the id of the request. */
async function ask(content: string, more: object = {}): Promise<string> {
  const response = await begin(content, more);
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

function begin(content: string, more: object = {}, signal?: AbortSignal): Promise<Response> {
  const body = { model: 'svc-max', messages: [{ role: 'user', content }], ...more };
  return dashboard.gateway.post(body, { ...dashboard.withKey, signal });
}

const entry = (id: string): string => `[data-entry="${id}"]`;

describe('the key', () => {
  it('is prompted once, refused if wrong, and kept for the tab', async () => {
    const page = await dashboard.open('/logs', { key: undefined });
    await page.locator('#key-input').fill('wrong key');
    await page.keyboard.press('Enter');
    await seeText(page, '#key-error', 'That key is not right.');
    await page.locator('#key-input').fill(KEY);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key-dialog', { hidden: true });
    await seeText(page, '#live', 'Updating');
    await page.goto(`${dashboard.gateway.origin}/dashboard/accounts`);
    await page.waitForSelector('.account');
    expect(await page.$('#key-dialog')).toBeNull();
    expect(page.url()).not.toContain(KEY);
  });

  it('can be entered later, and forgotten', async () => {
    const page = await dashboard.open('/logs', { key: undefined });
    await page.waitForSelector('#key-dialog');
    await page.keyboard.press('Escape');
    await seeText(page, '#list', 'The API key is needed');
    await Promise.all([page.waitForNavigation(), press(page, '#list', 'Enter the key')]);
    await page.locator('#key-input').fill(KEY);
    await page.keyboard.press('Enter');
    await seeText(page, '#live', 'Updating');
    await Promise.all([page.waitForNavigation(), click(page, '[aria-label="Forget the key"]')]);
    await page.waitForSelector('#key-dialog');
  });
});

describe('the logs page', () => {
  it('shows a running request and its end in the same row', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    dashboard.stub.answerNextWith(async (reply) => {
      await reply.event(chunk({ content: 'Hello' }));
      await mayEnd;
      await reply.event(chunk({}, 'stop'));
      reply.end();
    });
    const page = await dashboard.open('/logs');
    await seeText(page, '#live', 'Updating');
    const response = await begin('a streamed one');
    const id = response.headers.get('x-request-id') ?? '';
    await page.waitForSelector(`${entry(id)} .outcome`);
    expect(await textOf(page, `${entry(id)} .outcome`)).toMatch(/running|answering/);
    await inPage(page, `document.querySelector('${entry(id)}').isMarked = true`);
    end();
    await response.text();
    await seeText(page, `${entry(id)} .outcome`, 'ok');
    expect(await textOf(page, `${entry(id)} summary`)).toMatch(
      /^(just now|\d+ s ago) ok svc-max key-\w+ API_KEY · node .* stop a streamed one$/,
    );
    expect(await inPage(page, `document.querySelector('${entry(id)}').isMarked`)).toBe(true);
  });

  it('shows how far a running request is', async () => {
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    dashboard.stub.answerNextWith(async (reply) => {
      await mayAnswer;
      await hangs(1)(reply);
    });
    const page = await dashboard.open('/logs');
    await seeText(page, '#live', 'Updating');
    const caller = new AbortController();
    const response = begin('one that takes its time', {}, caller.signal);
    await seeText(page, '#list .entry', 'asked svc-max key-');
    answerNow();
    await seeText(page, '#list .entry', 'answering svc-max key-');
    caller.abort();
    await seeText(page, '#list .entry', 'cancelled');
    await response.then((answered) => answered.text()).catch(() => undefined);
  });

  it('lets the answer of a running request be read while it grows', async () => {
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const lines = Array.from({ length: 900 }, (_, at) => `line ${at}`).join('\n');
    dashboard.stub.answerNextWith(async (reply) => {
      await reply.event(chunk({ content: lines }));
      await mayGoOn;
      await reply.event(chunk({ content: ' and more' }));
      await mayEnd;
      await reply.event(chunk({ content: ' and its end.' }, 'stop'));
      reply.end();
    });
    const response = begin('a long answer', { stream: true, max_tokens: 10_000 });
    const page = await dashboard.open('/logs');
    await page.locator('#list .entry summary').click();
    const box = '#list .role-answer pre';
    await seeText(page, box, 'line 899');
    await inPage(
      page,
      `window.box = document.querySelector('${box}');
       box.focus();
       getSelection().setBaseAndExtent(box.firstChild, 0, box.firstChild, 6);
       box.scrollTop = 100;`,
    );
    const reading = `[box.scrollTop, document.activeElement === box, String(getSelection())]`;
    goOn();
    await seeText(page, box, 'line 899 and more');
    expect(await inPage(page, reading)).toEqual([100, true, 'line 0']);
    end();
    await seeText(page, `#list .trace`, 'Done stop');
    await seeText(page, box, 'and more and its end.');
    expect(await inPage(page, reading)).toEqual([100, true, 'line 0']);
    await (await response).text();
  });

  it('unfolds and folds the detail of an entry', async () => {
    dashboard.stub.answerNextWith(rateLimited(), answer({ reasoning: ['hm'], pieces: ['The answer.'] }));
    const id = await ask('Why is the sky blue?');
    const page = await dashboard.open('/logs');
    await seeText(page, entry(id), 'retried ×1');
    await click(page, `${entry(id)} summary`);
    for (const text of [
      'POST /v1/chat/completions',
      id,
      'TIMELINE in the gateway upstream at work answered held back, asked again or refused rate limited',
      'Waited for a free session',
      'Attempt 1 account key-',
      '· rate limited',
      'Retried pause before attempt 2 of 2',
      'Accepted until the upstream took the prompt',
      'First token went to the caller',
      'Done stop',
      'The upstream limits this account.',
      'cooling down after a rate limit',
      'CONVERSATION user Why is the sky blue?',
      'REASONING hm',
      'ANSWER The answer.',
    ]) {
      await seeText(page, `${entry(id)} .entry-detail`, text);
    }
    await press(page, entry(id), 'Raw JSON');
    await seeText(page, `${entry(id)} .raw`, `"id": "${id}"`);
    await click(page, `${entry(id)} summary`);
    await page.waitForSelector(`${entry(id)} .entry-detail`, { hidden: true });
  });

  it('keeps folds and focus in the detail of a running request, and shows its end', async () => {
    dashboard.stub.answerNextWith(hangs(1));
    const caller = new AbortController();
    const response = await begin('a long one', {}, caller.signal);
    const id = response.headers.get('x-request-id') ?? '';
    const page = await dashboard.open('/logs');
    const pinned = await dashboard.open(`/logs?id=${id}`);
    await page.locator(`${entry(id)} summary`).click();
    await press(page, entry(id), 'Raw JSON');
    await seeText(page, `${entry(id)} .raw`, '"outcome": "pending"');
    await page.waitForResponse((other) => other.url().includes(`/api/requests/${id}`));
    caller.abort();
    await seeText(page, `${entry(id)} .trace`, 'Done cancelled');
    await seeText(page, `${entry(id)} .raw[open]`, '"outcome": "cancelled"');
    expect(await inPage(page, `document.activeElement.matches('.raw > summary')`)).toBe(true);
    await pinned.bringToFront();
    await seeText(pinned, '#pinned details .outcome', 'cancelled');
    await seeText(pinned, '#pinned .notice', 'The caller closed the connection after');
    await keepPicture(pinned, 'entry-cancelled');
    await response.text().catch(() => undefined);
  });

  it('shows what a refused request brought', async () => {
    const id = await ask('a wrong one '.repeat(60), { temperature: 9 });
    const page = await dashboard.open(`/logs?id=${id}`, { width: 1440 });
    await seeText(page, '#pinned', 'WHAT WAS SENT');
    await seeText(page, '#pinned', '"content":"a wrong one a wrong one');
    await seeText(page, '#pinned', 'bytes.');
    await keepPicture(page, 'entry-refused');
  });

  it('links a request with its exchanges, and back', async () => {
    const id = await ask('joined');
    const exchange = dashboard.gateway.networkLog.begin({
      requestId: id,
      account: 'joined-account',
      method: 'POST',
      url: 'http://upstream.test/joined?token=t0p-s3cret-t0ken',
      headers: { 'content-type': 'application/json', authorization: 'Bearer t0p-s3cret-t0ken' },
      body: JSON.stringify({ prompt: 'joined\nof lines' }),
    });
    exchange.head(429, { 'retry-after': '7' });
    exchange.data(19, '{"error":"too many"}');
    exchange.end('rate_limited: too many');
    const page = await dashboard.open('/logs');
    await page.locator(`${entry(id)} summary`).click();
    await seeText(page, `${entry(id)} .exchanges`, '429 POST upstream.test/joined');
    await seeText(page, `${entry(id)} .exchanges`, 'rate_limited: too many');
    await Promise.all([page.waitForNavigation(), press(page, entry(id), 'Open in the network inspector')]);
    await seeText(page, '#list', '/joined');
    expect(await inPage(page, 'document.querySelector("#detail").hidden')).toBe(true);
    await page.goBack();
    await Promise.all([page.waitForNavigation(), press(page, `${entry(id)} .exchanges`, '/joined')]);
    await seeText(page, '#detail', String.raw`"prompt": "joined\nof lines"`);
    await press(page, '#detail', 'Show line breaks');
    await seeText(page, '#detail', '"prompt": "joined of lines"');
    await seeText(page, '#detail', '"error": "too many"');
    await seeText(page, '#detail', 'retry-after 7');
    expect(await page.content()).not.toContain('t0p-s3cret');
    await Promise.all([page.waitForNavigation(), press(page, '#detail', 'Open the request that it served')]);
    await seeText(page, '#pinned', 'CONVERSATION user joined');
    await press(page, '#pinned', 'Show all requests');
    // From there on, the list comes next.
    await page.waitForSelector('#main:focus');
    await page.waitForSelector('#filters', { visible: true });
  });

  it('finds exchanges by their time and duration, and ranks them', async () => {
    await ask('exchanged');
    const page = await dashboard.open('/network');
    await page.waitForSelector('button.exchange');
    await page.select('[name="time"]', 'yesterday');
    await seeText(page, '#list', 'No exchange fits these filters');
    await page.select('[name="time"]', 'hour');
    await page.waitForSelector('button.exchange');
    await seeText(page, '#summary', 'since');
    await click(page, '#more-filters summary');
    await page.select('[name="min_ms"]', '300000');
    await seeText(page, '#list', 'No exchange fits these filters');
    await page.goto(`${dashboard.gateway.origin}/dashboard/network?sort=slowest`);
    await page.waitForSelector('#more-filters[open] [name="sort"]', { visible: true });
    const [order] = await Promise.all([
      page.waitForRequest((other) => other.url().includes('/log/json')),
      page.reload(),
    ]);
    expect(new URL(order.url()).searchParams.get('sort')).toBe('slowest');
  });

  it('filters, with the filters in the URL', async () => {
    const [bad, good] = [
      await ask('a bad one', { temperature: 9 }),
      await ask('needle in the haystack', { model: 'svc-plus' }),
    ];
    const page = await dashboard.open('/logs');
    await page.waitForSelector(entry(bad));
    await page.select('[name="model"]', 'svc-plus');
    await page.waitForSelector(entry(bad), { hidden: true });
    expect(await inPage(page, 'location.search')).toBe('?model=svc-plus');
    await page.keyboard.press('/');
    await page.keyboard.type('needle');
    await page.waitForFunction(
      `location.search === '?model=svc-plus&q=needle' || location.search === '?q=needle&model=svc-plus'`,
    );
    await page.waitForSelector(entry(good));
    await page.reload();
    await page.waitForSelector(entry(good));
    expect(await inPage(page, `document.querySelectorAll('.entry').length`)).toBe(1);
    const live = await ask('another needle', { model: 'svc-plus' });
    await page.waitForSelector(entry(live));
    await press(page, '#filters', 'Reset');
    await page.waitForSelector(entry(bad));
    await page.select('[name="status"]', 'client_error');
    await page.waitForSelector(entry(good), { hidden: true });
    await seeText(page, `${entry(bad)} .outcome`, 'client error');
    await press(page, '#filters', 'Reset');
    await page.waitForSelector(entry(good));
    expect(await inPage(page, 'location.search')).toBe('');
  });

  it('saves the list in the order in which it is shown', async () => {
    const page = await dashboard.open('/logs?sort=slowest&model=svc-max');
    await seeText(page, '#live', 'Updating');
    const [request] = await Promise.all([
      page.waitForRequest((other) => other.url().includes('format=csv')),
      click(page, '#csv'),
    ]);
    expect(new URL(request.url()).search).toBe('?model=svc-max&sort=slowest&limit=500&format=csv');
    await page.waitForSelector('#csv:not(:disabled)');
  });

  it('holds new entries back while it is paused', async () => {
    const page = await dashboard.open('/logs');
    await seeText(page, '#live', 'Updating');
    await page.keyboard.press('p');
    await seeText(page, '#live', 'Paused');
    const id = await ask('while paused');
    await seeText(page, '#show-new', '1 new');
    expect(await page.$(entry(id))).toBeNull();
    await click(page, '#show-new');
    await page.waitForSelector(entry(id));
  });

  it('can be used by keyboard', async () => {
    const [older, newer] = [await ask('older'), await ask('newer')];
    const page = await dashboard.open('/logs');
    await page.waitForSelector(entry(newer));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${entry(older)}[open] .entry-detail`);
    await page.keyboard.press('k');
    expect(await inPage(page, `document.activeElement.closest('[data-entry]').dataset.entry`)).toBe(newer);
    await page.keyboard.press('?');
    await seeText(page, '#help', 'Go to the filter');
  });

  it('shows that the gateway is unreachable, and recovers', async () => {
    const page = await dashboard.open('/logs');
    await seeText(page, '#live', 'Updating');
    let isGone = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => void (isGone ? request.abort('connectionrefused') : request.continue()));
    await press(page, '#filters', 'Reset');
    await seeText(page, '#notices', 'The gateway does not answer.');
    const button = await page.waitForSelector('#notices button');
    isGone = false;
    // The page may try by itself first, which takes the button away.
    await button?.evaluate((element) => (element as unknown as { click(): void }).click());
    await page.waitForSelector('#notices .notice', { hidden: true });
    const id = await ask('back again');
    await page.waitForSelector(entry(id));
  });
});
