import { type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { type BrowserFleet } from '../../src/upstream/web/browser/browser-fleet.js';
import { answerHello, chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { type Answer, ask } from '../support/upstream/web-site.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';
import { TestsAtOnce } from '../support/watch/tests-at-once.js';

interface SiteAnswer extends Answer {
  /** The site that gave it, closed by now. */
  readonly site: OddSite;
}

/** Each test has a site and a browser of its own, and they run at once: they wait for pages most of the time. */
describe('WebDriver, habits of sites', () => {
  const atOnce = new TestsAtOnce();

  async function answer(options: OddSiteOptions, prompt = 'Say hello.'): Promise<SiteAnswer> {
    await using site = await OddSite.start(options);
    const session = await site.open();
    try {
      return { ...(await ask(session, prompt)), site };
    } finally {
      await session.close();
    }
  }

  const hello = { text: 'Hello.', error: undefined };

  atOnce.it('gets requests of the recipe whole, whatever a prompt holds', async () => {
    const titles: unknown[] = [];
    const request = {
      action: 'request',
      url: '{{site.origin}}/title?of={{prompt}}',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"title": "{{prompt}}"}',
    };
    const prompt = 'Say "hello" & more:\n\\one#two';
    const routes = {
      '/title': ({ url = '' }: IncomingMessage, response: ServerResponse, body: string) => {
        titles.push(new URL(url, 'http://site').searchParams.get('of'), JSON.parse(body));
        response.end();
      },
    };
    expect(await answer({ routes, recipe: { model: [request] } }, prompt)).toMatchObject(hello);
    expect(titles).toEqual([prompt, { title: prompt }]);
  });

  atOnce.it('sees past a service worker', async () => {
    const routes = {
      '/': chatPage(`
        navigator.serviceWorker.register('/worker.js');
        navigator.serviceWorker.oncontrollerchange = () => (document.body.className = 'controlled');
        send.onclick = () => post(take());`),
      '/worker.js': `
        self.onactivate = (event) => event.waitUntil(self.clients.claim());
        self.onfetch = (event) => event.respondWith(fetch(event.request));`,
    };
    const newChat = { url: '{{site.origin}}/', ready: '.controlled #prompt' };
    const { site, ...answered } = await answer({ routes, recipe: { newChat } });
    expect(answered).toMatchObject(hello);
    expect(site.bodies).toHaveLength(1);
  });

  describe.each([
    ['leads', "location.replace('/login')"],
    [
      'changes',
      "history.replaceState(null, '', '/login'); document.body.innerHTML = document.querySelector('template').innerHTML",
    ],
  ])('a page that %s to its login late', (_name, script) => {
    atOnce.it('is known by its address', async () => {
      const form =
        '<form action="/enter" method="post"><input id="user"><input id="password" type="password"><button>Go</button></form>';
      const options: OddSiteOptions = {
        routes: {
          '/': ({ headers }, response) => {
            response.writeHead(200, { 'content-type': 'text/html' });
            const isIn = headers.cookie === 'in=1';
            response.end(
              isIn
                ? chatPage()
                : `<body><template>${form}</template><script>setTimeout(() => { ${script}; }, 300)</script>`,
            );
          },
          '/login': `<!doctype html>${form}`,
          '/enter': (_request, response) => {
            response.writeHead(303, { location: '/', 'set-cookie': 'in=1' }).end();
          },
        },
        recipe: {
          login: {
            steps: [
              { action: 'goto', url: '{{site.origin}}/login' },
              { action: 'fill', selector: '#user', value: '{{account.user}}' },
              { action: 'click', selector: 'form button' },
            ],
            success: { selector: '#prompt' },
          },
          newChat: { url: '{{site.origin}}/', ready: '#prompt', timeoutMs: 15_000 },
          signs: { loginWall: { page: [{ url: '{{site.origin}}/login' }] } },
        },
      };
      expect(await answer(options)).toMatchObject(hello);
    });
  });

  atOnce.it('takes a new page, and logs in, where a waiting one has lost its login', async () => {
    let isIn = false;
    const script = `
      send.onclick = () => post(take());
      const look = async () => {
        if ((await (await fetch('/known')).text()) === 'true') {
          return setTimeout(look, 50);
        }
        prompt_.remove();
        fetch('/lost');
      };
      look();`;
    const lost = Promise.withResolvers<void>();
    await using site = await OddSite.start({
      routes: {
        '/': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end(isIn ? chatPage(script) : '<form action="/enter"><button>Log in</button></form>');
        },
        '/enter': (_request, response) => {
          isIn = true;
          response.writeHead(303, { location: '/' }).end();
        },
        '/known': (_request, response) => response.end(String(isIn)),
        '/lost': (_request, response) => {
          lost.resolve();
          response.end();
        },
      },
      recipe: {
        login: { steps: [{ action: 'click', selector: 'form button' }], success: { selector: '#prompt' } },
        signs: { loginWall: { page: [{ selector: 'form' }] } },
      },
    });
    const session = await site.open();
    isIn = false;
    await lost.promise;
    expect(await ask(session, 'Hi')).toMatchObject(hello);
    expect(site.paths.filter((path) => path === '/enter')).toHaveLength(2);
    await session.close();
  });

  atOnce.it('logs in and asks again where the site refuses a prompt since it forgot the login', async () => {
    let isIn = false;
    await using site = await OddSite.start({
      routes: {
        '/': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end(isIn ? chatPage() : '<form action="/enter"><button>Log in</button></form>');
        },
        '/enter': (_request, response) => {
          isIn = true;
          response.writeHead(303, { location: '/' }).end();
        },
        '/api/chat': (_request, response) =>
          isIn ? answerHello(response) : void response.writeHead(401).end('{}'),
      },
      recipe: {
        login: { steps: [{ action: 'click', selector: 'form button' }], success: { selector: '#prompt' } },
        signs: { loginWall: { page: [{ selector: 'form' }], response: [{ status: 401 }] } },
      },
    });
    const session = await site.open();
    isIn = false;
    expect(await ask(session, 'Hi')).toMatchObject(hello);
    expect(session.isUsable).toBe(true);
    expect(site.bodies).toHaveLength(2);
    await session.close();
  });

  atOnce.it('does not wait for what is to be dismissed and does not show', async () => {
    const routes = { '/': chatPage(undefined, '<dialog><button id="close">Close</button></dialog>') };
    await using site = await OddSite.start({ routes, recipe: { dismiss: ['#close'] } });
    const startedAt = performance.now();
    await (await site.open()).close();
    // Looking for it would take 20 s.
    await browserPace.expectWithin(performance.now() - startedAt, 15_000);
  });

  atOnce.it('dismisses what comes over the page later', async () => {
    const banner = `<div id="banner" hidden style="position: fixed; inset: 0; background: white">
      <button onclick="banner.remove()">Accept</button></div>`;
    const script = `
      send.onclick = () => post(take());
      prompt_.oninput = () => (banner.hidden = false);`;
    const result = await answer({
      routes: { '/': chatPage(script, banner) },
      recipe: { dismiss: ['#banner button'] },
    });
    expect(result).toMatchObject(hello);
  });

  atOnce.it(
    'waits for a page that does something else first, and does not click its stop button',
    async () => {
      const script = `
      let control;
      send.onclick = async () => {
        if (control) {
          control.abort();
          control = undefined;
          return;
        }
        const prompt = take();
        control = new AbortController();
        const { signal } = control;
        await post('new', '/api/new', { signal });
        await post(prompt, '/api/chat', { signal });
      };`;
      const { site, ...result } = await answer({
        routes: {
          '/': chatPage(script),
          '/api/new': (_request, response) => void setTimeout(() => response.end(), 1500),
        },
      });
      expect(result).toMatchObject(hello);
      expect(site.paths.filter((path) => path === '/api/new')).toHaveLength(1);
    },
  );

  atOnce.it('sends a prompt once if the recipe does not know its request, and names that', async () => {
    const capture = {
      mode: 'replay',
      request: { url: '{{site.origin}}/api/other' },
      format: 'sse',
      answer: { content: [{ path: 'text' }] },
    };
    const prompt = 'long '.repeat(50_000);
    const { site, error } = await answer({ recipe: { capture }, firstByteMs: 10_000 }, prompt);
    expect(error).toMatchObject({
      fault: 'first_byte_timeout',
      message: expect.stringMatching(/^The page sent the prompt with POST http:.*\/api\/chat, /),
    });
    expect(site.bodies).toHaveLength(1);
  });

  // Many windows keep the processor busy: these run one after the other.
  describe('windows that a page opens', () => {
    // Each address once: the browser's cache asks for the same one only after its first answer.
    const opening = `
      window.open('/window?1');
      window.open('/window?2', '_blank', 'noopener');
      window.open();
      window.open('/opener');`;
    const windowCount = 3;

    /** Two prompts, answered once the first page's windows have asked for their documents. No window is left then. */
    async function converse({
      page,
      frame = '',
      recipe = {},
      respond = (response) => response.end(),
      afterwards,
    }: {
      readonly page: string;
      readonly frame?: string;
      readonly recipe?: object;
      readonly respond?: (response: ServerResponse) => unknown;
      readonly afterwards?: () => void;
    }): Promise<void> {
      let asked = 0;
      const { promise: areAsked, resolve } = Promise.withResolvers<void>();
      await using site = await OddSite.start({
        recipe: { windows: 'keep', ...recipe },
        routes: {
          '/': page,
          '/opener': `<script>window.open('/window?3');</script>`,
          '/window': (_request, response) => {
            asked++;
            if (asked >= windowCount) {
              resolve();
            }
            respond(response);
          },
          '/api/chat': (_request, response) => void areAsked.then(() => answerHello(response)),
          '/frame': frame,
        },
      });
      const session = await site.open();
      expect(await ask(session, 'Say hello.')).toMatchObject(hello);
      expect(await ask(session, 'Say hello.')).toMatchObject(hello);
      await session.close();
      afterwards?.();
      await onlyBlankIsLeft(site);
    }

    /** Resolves once only the blank page is left, with which the browser starts: a busy one takes its time to close. */
    async function onlyBlankIsLeft(site: OddSite): Promise<void> {
      await eventually(PATIENCE_MS, async () => expect(await openPages(site)).toEqual(['about:blank']));
    }

    /** Addresses of all pages and windows, as the browser itself reports them. */
    async function openPages(site: OddSite): Promise<string[]> {
      const { fleet } = site.driver as unknown as { fleet: BrowserFleet };
      const { session } = await fleet.browser('');
      const { targetInfos } = await session.send('Target.getTargets');
      return targetInfos.filter(({ type }) => type === 'page').map(({ url }) => url);
    }

    it('are closed together with it, as are their own windows', async () => {
      await converse({ page: chatPage(`${opening} send.onclick = () => post(take());`) });
    });

    it('are closed if a frame opens them', async () => {
      const frame = `<script>${opening}</script>`;
      await converse({ page: chatPage(undefined, '<iframe src="/frame"></iframe>'), frame });
    });

    it('are closed if they are still being made', async () => {
      const script = `${opening}
        send.onclick = async () => {
          await post(take());
          for (let i = 0; i < 10; i++) window.open('/opener', '_blank', i % 2 === 0 ? 'noopener' : '');
        };`;
      // The page itself reads the answer here, and opens windows as it is about to be closed.
      const capture = {
        mode: 'observe',
        request: { url: '{{site.origin}}/api/chat' },
        format: 'sse',
        answer: { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] },
      };
      await converse({ page: chatPage(script), recipe: { capture } });
    });

    it('are closed even if the site answers them after the page is gone', async () => {
      const held: ServerResponse[] = [];
      await converse({
        page: chatPage(`${opening} send.onclick = () => post(take());`),
        respond: (response) => held.push(response),
        afterwards: () => held.forEach((response) => response.end()),
      });
    });
  });

  atOnce.each([['fill'], ['paste']])('keeps lines and indents in an editable element: %s', async (method) => {
    const script = `
      const box = document.createElement('div');
      box.id = 'prompt';
      box.contentEditable = 'true';
      prompt_.replaceWith(box);
      send.onclick = () => post(box.innerText);`;
    const prompt = 'def f():\n    return  1\n\n\nend';
    const recipe = { prompt: { input: '#prompt', method } };
    const { site, ...answered } = await answer({ routes: { '/': chatPage(script) }, recipe }, prompt);
    expect(answered).toMatchObject(hello);
    expect(site.bodies).toEqual([JSON.stringify({ prompt })]);
  });

  describe('read off the page', () => {
    const capture = { mode: 'dom', answer: '.answer', busy: '#busy' };
    const add =
      'const add = (tag, props) => document.body.append(Object.assign(document.createElement(tag), props));';

    atOnce.it('is sent once, however late the site shows that it answers', async () => {
      const script = `${add}
        send.onclick = async () => {
          const prompt = take();
          if (prompt === '') return;
          await post(prompt);
          add('p', { id: 'busy' });
          add('p', { className: 'answer', textContent: 'Hello.' });
          setTimeout(() => document.querySelector('#busy').remove(), 200);
        };`;
      const routes: OddSiteOptions['routes'] = {
        '/': chatPage(script),
        '/api/chat': (_request, response) => void setTimeout(() => answerHello(response), 1800),
      };
      const { site, ...answered } = await answer({ routes, recipe: { capture } });
      expect(answered).toMatchObject(hello);
      expect(site.bodies).toHaveLength(1);
    });

    atOnce.it('is a limit, and no empty answer, where the page says so', async () => {
      const script = `${add}
        send.onclick = async () => {
          add('p', { id: 'busy' });
          await post(take());
          setTimeout(() => {
            document.querySelector('#busy').remove();
            add('p', { id: 'limit', textContent: 'Wait 30 seconds.' });
          }, 200);
        };`;
      const rateLimit = { page: [{ selector: '#limit' }], reset: [{ selector: '#limit', unit: 'seconds' }] };
      const result = await answer({
        routes: { '/': chatPage(script) },
        recipe: { capture, signs: { rateLimit } },
      });
      expect(result.error).toMatchObject({ fault: 'rate_limited', retryAfterMs: 30_000 });
    });
  });
});
