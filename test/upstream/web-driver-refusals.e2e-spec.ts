import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { UpstreamAttempt } from '../../src/accounts/dispatch/upstream-attempt.js';
import { FlowValve } from '../../src/upstream/flow-gate.js';
import { LoginRequiredError, RateLimitedError } from '../../src/upstream/upstream.errors.js';
import { type UpstreamSession } from '../../src/upstream/upstream-driver.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { answerHello, chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { ask, requestOf, WebSite } from '../support/upstream/web-site.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;

describe('WebDriver, what a site answers instead of an answer', () => {
  let web: WebSite;
  let driver: WebDriver;
  let session: UpstreamSession;

  beforeAll(async () => {
    web = await WebSite.start();
    driver = web.driver();
    session = await driver.open(web.account(), never);
  });
  afterEach(async () => {
    web.site.clearSwitches();
    if (!session.isUsable) {
      await session.close();
      session = await driver.open(web.account(), never);
    }
  });
  afterAll(async () => {
    await session.close();
    await web.close();
  });

  it.each([
    ['[[status:429:retry-after=7]]', 7000],
    ['[[status:429]]', undefined],
    ['[[limit:page:9]]', 9000],
    ['[[limit:page]]', undefined],
    ['[[limit:sse:11]]', 11_000],
    ['[[limit:sse]]', undefined],
  ])('%s is a rate limit', async (marker, retryAfterMs) => {
    const { error } = await ask(session, marker);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs });
    expect(session.isUsable).toBe(true);
  });

  it.each([
    ['[[status:500]]', { name: 'UnavailableError', fault: 'upstream_status_500' }],
    ['[[overloaded]]', { name: 'UnavailableError', fault: 'overloaded' }],
    ['[[too-long]]', { name: 'RejectedError', fault: 'too_long' }],
    ['[[garbage:html]]', { name: 'UnavailableError', fault: 'unexpected_content_type' }],
    ['[[garbage:events]]', { name: 'UnavailableError', fault: 'garbled_answer' }],
    ['[[garbage:gzip]]', { name: 'UnavailableError', fault: 'stream_reset' }],
    ['[[garbage:line]]', { name: 'UnavailableError', fault: 'garbled_answer' }],
    ['[[reset]]', { name: 'UnavailableError', fault: 'stream_reset' }],
    ['[[reset:3]]', { name: 'UnavailableError', fault: 'stream_reset' }],
    ['[[login-wall]]', { name: 'LoginRequiredError', fault: 'login_wall' }],
    ['[[blocked]]', { name: 'LoginRequiredError', fault: 'blocked' }],
  ])('%s is reported as such', async (marker, expected) => {
    expect((await ask(session, marker)).error).toMatchObject(expected);
  });

  it.each(['[[partial]]', '[[garbage:empty]]', '[[garbage:utf8]]'])(
    '%s ends without done',
    async (marker) => {
      const { events, error } = await ask(session, marker);
      expect(error).toBeUndefined();
      expect(events.at(0)).toEqual({ type: 'accepted' });
      expect(events.at(-1)).not.toMatchObject({ type: 'done' });
    },
  );

  it('takes every record once, and only those of its own conversation', async () => {
    const { text, events } = await ask(session, '[[duplicate]][[foreign]][[say:one two three]]');
    expect(text).toBe('one two three');
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'stop' });
  });

  it('makes pieces of cumulative answers', async () => {
    const said = 'a rather long sentence that grows from record to record';
    expect((await ask(session, `[[cumulative]][[say:${said}]]`)).text).toBe(said);
  });

  it('tells an answer that was cut by its limit', async () => {
    const { events } = await ask(session, '[[length]][[say:cut]]');
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'length' });
  });

  it.each([
    ['preview', { title: expect.stringContaining('Sandbox'), screenshot: expect.any(Uint8Array) }],
    ['none', { title: '' }],
  ] as const)('shows a chat page as LOG_CONTENT=%s allows', async (mode, shown) => {
    const { LOG_CONTENT } = web.settings;
    web.settings.LOG_CONTENT = mode;
    const { error } = await ask(session, '[[login-wall]]').finally(
      () => (web.settings.LOG_CONTENT = LOG_CONTENT),
    );
    const { evidence } = error as LoginRequiredError;
    expect(evidence).toEqual({ url: expect.stringContaining(web.origin), ...shown });
  });

  it('logs in again after the site logged the account out', async () => {
    const logins = web.site.logins.get('sandbox-1')?.ok ?? 0;
    const { error } = await ask(session, '[[login-wall]]');
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error).toMatchObject({ fault: 'login_wall', evidence: { title: expect.any(String) } });
    expect(session.isUsable).toBe(false);
    await session.close();
    session = await driver.open(web.account(), never);
    expect((await ask(session, '[[say:back]]')).text).toBe('back');
    // One login was made at once, for the prompt that drew the wall again.
    expect(web.site.logins.get('sandbox-1')?.ok).toBe(logins + 2);
  });

  it('sends a prompt again after such a login only if it may', async () => {
    const sent = (): number => web.site.records.length;
    const before = sent();
    let asked = 0;
    const mayRepeat = (): boolean => {
      asked += 1;
      return false;
    };
    const { error } = await ask(session, '[[login-wall]]', { mayRepeat });
    expect(error).toMatchObject({ name: 'LoginReplacedError', cause: { fault: 'login_wall' } });
    expect([sent() - before, asked]).toEqual([1, 1]);
    expect(session.isUsable).toBe(true);
    expect((await ask(session, '[[say:back]]')).text).toBe('back');
  });
});

describe('WebDriver, silence of a site', () => {
  let web: WebSite;
  beforeAll(async () => {
    const pace = await browserPace.factor();
    const settings = { UPSTREAM_FIRST_BYTE_MS: 2000 * pace, UPSTREAM_IDLE_MS: 600 * pace };
    web = await WebSite.start({ settings });
  });
  afterAll(() => web.close());

  it.each([
    ['[[hang]]', 'first_byte_timeout'],
    ['[[hang:2]]', 'stream_idle'],
  ])('%s ends the answer', async (marker, fault) => {
    const session = await web.driver().open(web.account(), never);
    const { error } = await ask(session, marker, { thinking: false });
    expect(error).toMatchObject({ name: 'UnavailableError', fault });
    await web.site.whenRecord(({ outcome }) => outcome === 'client_closed', AbortSignal.timeout(PATIENCE_MS));
    await session.close();
  });
});

describe('WebDriver, a site that refuses a prompt as it would an account', () => {
  const SIGNS = {
    blocked: { response: [{ status: 403 }], page: [{ selector: '#challenge' }] },
    loginWall: { response: [{ status: 401 }] },
    rateLimit: { page: [{ selector: '#limit' }] },
  };
  let site: OddSite;
  afterEach(() => site.close());

  /** @param refuses what the answer to each prompt is in place of one; undefined for an answer, 0 for silence */
  async function start(
    refuses: (prompt: string) => number | undefined,
    page = (): string => chatPage(),
    options: OddSiteOptions = {},
  ): Promise<UpstreamSession> {
    site = await OddSite.start({
      recipe: { signs: SIGNS },
      ...options,
      routes: {
        '/': (_request, response) => void response.end(page()),
        '/api/chat': (_request, response, body) => {
          const status = refuses((JSON.parse(body) as { prompt: string }).prompt);
          if (status === undefined) {
            answerHello(response);
          } else if (status > 0) {
            response.writeHead(status).end();
          }
        },
      },
    });
    return site.open();
  }

  it.each([403, 401])('refuses the prompt alone if it answers others, with status %i', async (status) => {
    const session = await start((prompt) => (prompt.includes('<script>') ? status : undefined));
    for (const prompt of ['<script>1', '<script>2', '<script>3', '<script>4']) {
      const { error } = await ask(session, prompt);
      expect(error).toMatchObject({ name: 'RejectedError', fault: 'invalid_request' });
    }
    expect(session.isUsable).toBe(true);
    expect(await ask(session, 'Hi')).toMatchObject({ text: 'Hello.', error: undefined });
    // One question for each refusal.
    expect(site.bodies).toHaveLength(9);
  });

  it.each([
    [403, 'blocked'],
    [401, 'login_wall'],
  ])('refuses the account if it answers nothing, with status %i', async (status, fault) => {
    const session = await start(() => status);
    expect((await ask(session, 'Hi')).error).toMatchObject({ fault, isOfConversation: false });
    expect([session.isUsable, site.bodies.length]).toEqual([false, 2]);
  });

  it('refuses the account if its pages do, without a question', async () => {
    let page = chatPage();
    const refuse = (): number => {
      page = '<h1 id="challenge">Are you human?</h1>';
      return 403;
    };
    const session = await start(refuse, () => page);
    expect((await ask(session, 'Hi')).error).toMatchObject({ fault: 'blocked' });
    expect([session.isUsable, site.bodies.length]).toEqual([false, 1]);
  });

  it('says as before what it makes of a refusal if the question tells nothing', async () => {
    const session = await start((prompt) => (prompt === 'Hi' ? 403 : 500));
    expect((await ask(session, 'Hi')).error).toMatchObject({ fault: 'blocked' });
  });

  it('takes the account for limited if the question meets a limit', async () => {
    const session = await start((prompt) => (prompt === 'Hi' ? 403 : 429));
    expect((await ask(session, 'Hi')).error).toMatchObject({ name: 'RateLimitedError' });
    expect([session.isUsable, site.bodies.length]).toEqual([true, 2]);
  });

  it('takes the account for limited if its pages say so', async () => {
    let page = chatPage();
    const refuse = (): number => {
      page = '<h1 id="limit">Come back later.</h1>';
      return 403;
    };
    const session = await start(refuse, () => page);
    expect((await ask(session, 'Hi')).error).toMatchObject({ name: 'RateLimitedError' });
  });

  it('tells of the refusal, and not of a silence, when the question gets no answer', async () => {
    const firstByteMs = 4000;
    const session = await start((prompt) => (prompt === 'Hi' ? 403 : 0), undefined, { firstByteMs });
    const { promise: error, resolve } = Promise.withResolvers<unknown>();
    const limits = { firstByteMs, idleMs: firstByteMs, progressMs: PATIENCE_MS };
    const ignore = (): void => undefined;
    const observer = { next: ignore, accepted: ignore, begun: ignore, complete: () => resolve(undefined) };
    const flow = new FlowValve();
    const attempt = new UpstreamAttempt(flow, limits, { ...observer, error: resolve });
    attempt.start(session, requestOf('Hi'), { signal: new AbortController().signal, flow });
    expect(await error).toMatchObject({ fault: 'blocked' });
    expect(site.bodies).toHaveLength(2);
  });
});
