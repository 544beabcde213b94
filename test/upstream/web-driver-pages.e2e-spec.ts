import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SandboxFeatures } from '../../src/sandbox/state/sandbox-features.js';
import { FlowValve } from '../../src/upstream/flow-gate.js';
import { type ReplayRules } from '../../src/upstream/web/recipe/capture-rules.js';
import { loadRecipe, parseRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { type SiteRecipe } from '../../src/upstream/web/recipe/site-recipe.js';
import { browserProcesses } from '../support/browser/browser-processes.js';
import { type Answer, ask, type AskOptions, WebSite } from '../support/upstream/web-site.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function change(parts: object): (recipe: SiteRecipe) => SiteRecipe {
  return (recipe) =>
    parseRecipe(JSON.parse(JSON.stringify({ ...recipe, ...parts })), 'test', ['site.origin']);
}

function prompting(rules: object): (recipe: SiteRecipe) => SiteRecipe {
  return change({ prompt: { input: '#prompt', ...rules } });
}

function replayRules({ capture }: SiteRecipe): ReplayRules {
  if (capture.mode !== 'replay') {
    throw new Error('The sandbox recipe replays.');
  }
  return capture;
}

describe('WebDriver, pages that get in the way', () => {
  let web: WebSite;

  beforeAll(async () => {
    web = await WebSite.start();
  });
  afterAll(() => web.close());

  async function answer(
    prompt: string,
    features: Partial<SandboxFeatures>,
    adapt?: (recipe: SiteRecipe) => SiteRecipe,
    options?: AskOptions,
  ): Promise<Answer> {
    web.site.setFeatures({
      hydrationMs: 0,
      welcome: false,
      beforeUnload: false,
      promptLimit: 0,
      markdown: false,
    });
    web.site.setFeatures(features);
    const driver = web.driver(adapt);
    const session = await driver.open(web.account(), never);
    try {
      return await ask(session, prompt, options);
    } finally {
      await session.close();
      await driver.close();
    }
  }

  it('puts the prompt in again when a late page wipes it', async () => {
    const { text, error } = await answer('[[say:here]]', { hydrationMs: 1500 });
    expect({ text, error }).toEqual({ text: 'here', error: undefined });
    expect(web.site.records.at(-1)?.promptHash).toBe(sha256('[[say:here]]'));
  });

  it('closes the dialog of a first visit', async () => {
    expect((await answer('[[say:here]]', { welcome: true })).text).toBe('here');
  });

  it('leaves pages that ask to stay', async () => {
    expect((await answer('[[say:here]]', { beforeUnload: true })).text).toBe('here');
  });

  it('gets tags and fences where the page shows formatted text', async () => {
    const said = '<tool_call>x</tool_call>\\n```js\\n1 < 2\\n```';
    expect((await answer(`[[say:${said}]]`, { markdown: true })).text).toBe(said.replaceAll('\\n', '\n'));
  });

  it('refuses a prompt that the page would cut, and nothing of it reaches the site', async () => {
    const before = web.site.records.length;
    const { error } = await answer(`[[say:no]]${'x'.repeat(5000)}`, { promptLimit: 2000 });
    expect(error).toMatchObject({ name: 'RejectedError', fault: 'too_long' });
    expect(web.site.records).toHaveLength(before);
  });

  it('sends nothing once the account is another gateway’s, which may be while the page is filled in', async () => {
    const before = web.site.records.length;
    const permit = { fence: '0/1', mayBegin: () => false };
    const { error } = await answer('[[say:no]]', {}, undefined, { permit });
    expect(error).toMatchObject({ name: 'UnavailableError', fault: 'account_handed_over' });
    expect(web.site.records).toHaveLength(before);
  });

  it.each(['fill', 'paste', 'request'] as const)('puts a prompt in by %s', async (method) => {
    const prompt = `[[say:ok]]\nline "two" \\ and ${'ä'.repeat(1000)}\nthe end`;
    const { text } = await answer(prompt, {}, prompting({ method }));
    expect(text).toBe('ok');
    expect(web.site.records.at(-1)?.promptHash).toBe(sha256(prompt));
  });

  it('attaches a long prompt as a file', async () => {
    const attachment = { above: 1000, selector: '#attachment', text: 'See the file.' };
    const prompt = `${'x'.repeat(2000)} the end`;
    const { error } = await answer(prompt, {}, prompting({ attachment }));
    expect(error).toBeUndefined();
    expect(web.site.records.at(-1)).toMatchObject({
      promptHead: expect.stringContaining('See the file.'),
      promptTail: expect.stringContaining('x the end'),
    });
  });

  it('attaches images beside a long prompt, in the same input', async () => {
    const rules = {
      attachment: { above: 10, selector: '#attachment', text: 'See the file.' },
      images: { selector: '#attachment', attached: '.attached' },
    };
    const images = [{ type: 'image/svg+xml', base64: 'PHN2Zy8+' }];
    const { text, error } = await answer('[[echo]] prompt', {}, prompting(rules), { images });
    expect({ text, error }).toEqual({
      text: `See the file.\n\n[[echo]] prompt\n\nimage-1.svg: image/svg+xml, 6 bytes, SHA-256 ${sha256('<svg/>')}`,
      error: undefined,
    });
  });

  it('sends no prompt whose images the page does not take', async () => {
    const before = web.site.records.length;
    const timeoutMs = 500 * Math.ceil(await browserPace.factor());
    const rules = { images: { selector: '#attachment', attached: '#thumbnail' }, timeoutMs };
    const images = [{ type: 'image/png', base64: 'AAAA' }];
    const { error } = await answer('[[say:no]]', {}, prompting(rules), { images });
    expect(error).toMatchObject({ name: 'UnavailableError', fault: 'prompt_refused' });
    expect(web.site.records).toHaveLength(before);
  });

  it('runs the stop steps when the caller leaves', async () => {
    const rules = {
      ...replayRules(await loadRecipe('recipes/sandbox.json', ['site.origin'])),
      credentials: undefined,
    };
    const stop = [{ action: 'click', selector: '#stop' }];
    const caller = new AbortController();
    await answer(
      '[[chunks:1000x10ms]]',
      {},
      change({ stop, stopTimeoutMs: PATIENCE_MS, capture: { ...rules, mode: 'observe' } }),
      {
        signal: caller.signal,
        onEvent: ({ type }) => type === 'text' && caller.abort(new Error('left')),
      },
    );
    expect(web.site.records.at(-1)?.outcome).toBe('stopped');
  });

  it('stops reading while the caller does not keep up', async () => {
    const flow = new FlowValve();
    flow.close();
    const session = await web.driver().open(web.account(), never);
    let received = 0;
    const done = ask(session, '[[big:24MB]]', {
      flow,
      thinking: false,
      onEvent: (event) => (received += event.type === 'text' ? event.text.length : 0),
    });
    // The kernel takes megabytes ahead of any reader.
    await web.site.whenRecord(
      ({ piecesSent, promptTail }) => promptTail.includes('24MB') && piecesSent * 8192 > 5 * 2 ** 20,
      AbortSignal.timeout(PATIENCE_MS),
    );
    expect(received).toBeLessThan(4 * 2 ** 20);
    flow.open();
    const { events, text } = await done;
    expect(text).toHaveLength(24 * 2 ** 20);
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'stop' });
    await session.close();
  });

  it('lets pages reach the allowed origins only', async () => {
    let reached = 0;
    const other = createServer((_request, response) => {
      reached++;
      response.end('here');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const request = [{ action: 'request', url, timeoutMs: PATIENCE_MS }];
    const { error } = await answer('[[say:no]]', {}, change({ model: request }));
    expect(error).toMatchObject({ fault: 'page_failed' });
    expect(reached).toBe(0);
    other.close();
  });

  it('restores the cookies that a crash of the network service takes', async () => {
    const driver = web.driver();
    const account = web.account(1);
    const session = await driver.open(account, never);
    await session.close();
    const logins = web.site.logins.get(account.name)?.ok;
    const [service] = (await browserProcesses(web.settings.DATA_DIR)).filter(
      ({ type }) => type === 'utility',
    );
    process.kill(service?.pid ?? 0, 'SIGKILL');
    const again = await driver.open(account, never);
    expect((await ask(again, '[[say:back]]')).text).toBe('back');
    expect(web.site.logins.get(account.name)?.ok).toBe(logins);
    await again.close();
  });
});
