import { type ServerResponse } from 'node:http';
import { describe, expect } from '@jest/globals';
import { UpstreamAttempt } from '../../src/accounts/dispatch/upstream-attempt.js';
import { FlowValve } from '../../src/upstream/flow-gate.js';
import { WEB_LIMITS } from '../../src/upstream/web/web-limits.js';
import { chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { ask, requestOf } from '../support/upstream/web-site.js';
import { browserPace } from '../support/watch/machine-pace.js';
import { TestsAtOnce } from '../support/watch/tests-at-once.js';

type Route = NonNullable<OddSiteOptions['routes']>[string];

const page =
  (status: number, body = ''): Route =>
  (_request, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(body);
const silent: Route = () => undefined;
const reset: Route = ({ socket }) => void socket.resetAndDestroy();

/** Pages that do all in time take longer on a slow machine, too. */
const PACE = Math.ceil(await browserPace.factor());
const CHAT = { url: '{{site.origin}}/', ready: '#prompt', timeoutMs: 10_000 };
const CHALLENGE = `<body><script>setTimeout(() => document.body.id = 'challenge', 500)</script>Please wait.`;
const WALL = '<form method="post" action="/login"><button id="enter">Enter</button></form>';

/** Each test waits for a time-out of its own, with a site and a browser of its own: they wait at once. */
describe('WebDriver, a site that is down', () => {
  const atOnce = new TestsAtOnce();

  const start = (
    routes: OddSiteOptions['routes'] = {},
    recipe: object = {},
    options: OddSiteOptions = {},
  ): Promise<OddSite> => OddSite.start({ ...options, routes, recipe: { newChat: CHAT, ...recipe } });

  /** The error by which no session is opened. */
  const failure = (site: OddSite): Promise<unknown> => site.open().catch((error: unknown) => error);

  atOnce.it('is one that falls silent', async () => {
    // Half the usual times: the page may take longer than the first wait for the site to begin.
    const newChat = { ...CHAT, timeoutMs: CHAT.timeoutMs / 2 };
    const limits = { headMs: WEB_LIMITS.headMs / 2 };
    await using site = await start({ '/': silent }, { newChat }, { limits });
    expect(await failure(site)).toMatchObject({ fault: 'site_silent' });
  });

  atOnce.each([
    ['breaks its connections off', reset, 'connect_failed'],
    ['answers with 502', page(502, '<h1>Bad Gateway</h1>'), 'upstream_status_502'],
    ['answers with 502 and no page', page(502), 'upstream_status_502'],
  ])('is one that %s', async (_what, route, fault) => {
    await using site = await start({ '/': route });
    expect(await failure(site)).toMatchObject({ fault });
  });

  atOnce.it('is one that cannot be reached, and says why', async () => {
    await using site = await start();
    site.stop();
    expect(await failure(site)).toMatchObject({
      fault: 'connect_failed',
      message: expect.stringMatching(/^goto .*: net::ERR_\w+ .*\(connect ECONNREFUSED 127\.0\.0\.1:\d+\)$/),
    });
  });

  atOnce.it('is none that forgets one request for its page', async () => {
    let isFirst = true;
    const forgetful: Route = (_request, response) => {
      if (!isFirst) {
        response.end(chatPage());
      }
      isFirst = false;
    };
    const newChat = { ...CHAT, timeoutMs: 60_000 };
    await using site = await start({ '/': forgetful }, { newChat }, { limits: { headMs: 300 } });
    await (await site.open()).close();
  });

  atOnce.it('is known to be silent long before its recipe allows', async () => {
    const newChat = { ...CHAT, timeoutMs: 60_000 };
    await using site = await start({ '/': silent }, { newChat }, { limits: { headMs: 300 } });
    const startedAt = performance.now();
    expect(await failure(site)).toMatchObject({ fault: 'site_silent' });
    await browserPace.expectWithin(performance.now() - startedAt, 15_000);
    expect(site.paths).toEqual(['/', '/']);
  });

  atOnce.it('is given its time for the rest of a page that has begun', async () => {
    const slow: Route = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html>');
      setTimeout(() => response.end(chatPage()), 2000);
    };
    await using site = await start({ '/': slow }, {}, { limits: { headMs: 700 } });
    await (await site.open()).close();
    expect(site.paths.filter((path) => path === '/')).toHaveLength(1);
  });

  atOnce.each([
    ['does not answer it', silent, 'site_silent'],
    ['fails at it', page(502), 'upstream_status_502'],
  ])('is one that asks for a login and %s', async (_what, route, fault) => {
    const login = {
      steps: [{ action: 'click', selector: '#enter' }],
      success: { selector: '#prompt' },
      timeoutMs: 8000 * PACE,
    };
    const signs = { loginWall: { page: [{ selector: '#enter' }] } };
    await using site = await start({ '/': WALL, '/login': route }, { login, signs });
    expect(await failure(site)).toMatchObject({ fault });
  });

  atOnce.each([
    ['breaks the connection off', reset, 'connect_failed'],
    ['fails at it', page(502), 'upstream_status_502'],
  ])('is one whose page sends the login and that %s', async (_what, route, fault) => {
    const login = {
      steps: [{ action: 'click', selector: '#enter' }],
      success: { selector: '#prompt' },
      timeoutMs: 4000 * PACE,
    };
    const signs = { loginWall: { page: [{ selector: '#enter' }] } };
    const script = `<script>enter.onclick = () => fetch('/login', { method: 'POST', body: '{}' })</script>`;
    const wall = `<button id="enter">Enter</button>${script}`;
    await using site = await start({ '/': wall, '/login': route }, { login, signs });
    expect(await failure(site)).toMatchObject({ fault });
  });

  atOnce.it('is none that shows a challenge, whatever its status', async () => {
    await using site = await start(
      { '/': page(503, CHALLENGE) },
      { signs: { blocked: { page: [{ selector: '#challenge' }] } } },
    );
    expect(await failure(site)).toMatchObject({ fault: 'blocked' });
  });

  atOnce.it('is none that leads where its recipe does not allow', async () => {
    await using site = await start({
      '/': (_request, response) =>
        void response.writeHead(302, { location: 'http://other.example/a?b' }).end(),
    });
    expect(await failure(site)).toMatchObject({
      fault: 'page_failed',
      message: expect.stringMatching(/\(http:\/\/other\.example\/a: not in allowedOrigins\)$/),
    });
  });

  atOnce.it(
    'is told by the driver, which knows what came instead, and not by who waits for the driver',
    async () => {
      const capture = {
        mode: 'replay',
        request: { url: '{{site.origin}}/api/other' },
        format: 'sse',
        answer: { content: [{ path: 'text' }] },
      };
      const firstByteMs = 3000;
      await using site = await start({ '/': chatPage() }, { capture }, { firstByteMs });
      const session = await site.open();
      const failed = Promise.withResolvers<unknown>();
      const flow = new FlowValve();
      const ignore = (): void => undefined;
      const attempt = new UpstreamAttempt(
        flow,
        { firstByteMs, idleMs: 60_000, progressMs: 60_000 },
        { accepted: ignore, begun: ignore, next: ignore, complete: ignore, error: failed.resolve },
      );
      attempt.start(session, requestOf('Say hello.'), { signal: new AbortController().signal, flow });
      expect(await failed.promise).toMatchObject({
        fault: 'first_byte_timeout',
        message: expect.stringMatching(/^The page sent the prompt with POST http:.*\/api\/chat, /),
      });
      await session.close();
    },
  );

  atOnce.it('is one that goes away before the prompt', async () => {
    await using site = await start({ '/': chatPage() });
    const session = await site.open();
    site.stop();
    expect((await ask(session, 'Say hello.')).error).toMatchObject({
      fault: 'connect_failed',
      message: expect.stringMatching(/\(connect ECONNREFUSED 127\.0\.0\.1:\d+\)$/),
    });
    await session.close();
  });
});
