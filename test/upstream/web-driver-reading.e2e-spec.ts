import { type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, takeWhile } from 'rxjs';
import { renderPrompt } from '../../src/chat/prompt/render-prompt.js';
import { FlowValve } from '../../src/upstream/flow-gate.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { answerHello, chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { type Answer, ask, requestOf } from '../support/upstream/web-site.js';
import { browserPace } from '../support/watch/machine-pace.js';

const MARKDOWN = `## Title

Text with **bold**, \`code  x\` and [a link](https://x.example/).

- one
- two
  1. inner
  2. more

| a | b |
| --- | --- |
| 1 | 2 \\| 3 |

\`\`\`python
def f():
\treturn  1


# <think> 👋
\`\`\`

> quoted

End.`;

const HTML = `<h2>Title</h2><p>Text with <strong>bold</strong>, <code>code  x</code> and
  <a href="https://x.example/">a link</a>.</p>
  <ul><li>one</li><li>two<ol><li>inner</li><li>more</li></ol></li></ul>
  <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2 | 3</td></tr></tbody></table>
  <pre><code class="language-python">def f():\n\treturn  1\n\n\n# &lt;think&gt; 👋\n</code></pre>
  <blockquote><p>quoted</p></blockquote><p hidden>hidden</p><p class="note">Thought for 2 s</p><p>End.</p>`;

/** The page names no charset. */
const ascii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('WebDriver, reading answers off the page and past it', () => {
  let site: OddSite;

  afterEach(() => site.close());

  async function answer(options: OddSiteOptions, prompt = 'Say hello.'): Promise<Answer> {
    site = await OddSite.start(options);
    const session = await site.open();
    try {
      return await ask(session, prompt);
    } finally {
      await session.close();
    }
  }

  /** A page that paints these states of its answer, one after the other; at IDLE and BUSY it changes what it shows beside, at RELOAD the page. */
  const painting = (...states: string[]): OddSiteOptions['routes'] => ({
    '/': chatPage(`
      const states = ${ascii(JSON.stringify(states))};
      send.onclick = async () => {
        const text = take();
        if (!text) return;
        const add = (props) => document.body.appendChild(Object.assign(document.createElement('div'), props));
        const busy = add({ id: 'busy' });
        const shown = add({ className: 'answer' });
        for (const state of states) {
          if (state === 'RELOAD') location.assign('/later');
          else if (state === 'IDLE') busy.remove();
          else if (state === 'BUSY') document.body.append(busy);
          else shown.innerHTML = state;
          await new Promise((resolve) => setTimeout(resolve, busy.isConnected ? 150 : 20));
        }
        busy.remove();
      };`),
  });
  const dom = { mode: 'dom', answer: '.answer', busy: '#busy' };

  it('rebuilds Markdown and leaves out what is no part of the answer', async () => {
    const capture = { ...dom, format: 'markdown', exclude: ['.note'] };
    const routes = painting(HTML.slice(0, 100), HTML.slice(0, HTML.indexOf('return')), HTML);
    expect(await answer({ routes, recipe: { capture } })).toMatchObject({ text: MARKDOWN, error: undefined });
  });

  it('reads a text again that took the place of another', async () => {
    const routes = painting('Thinking', 'Hello', 'Hello, W▍', 'Thinking', 'Hello, World▍', 'Hello, World.');
    const result = await answer({ routes, recipe: { capture: dom } });
    expect(result).toMatchObject({ text: 'Hello, World.', error: undefined });
  });

  it('reads what the page paints once it does not look busy any more, and after a pause in its work', async () => {
    const growing = Array.from({ length: 100 }, (_, i) => `Hello${'!'.repeat(i)}`);
    const routes = painting('Hello', 'IDLE', 'BUSY', 'Hello', 'IDLE', ...growing);
    const result = await answer({ routes, recipe: { capture: dom } });
    expect(result).toMatchObject({ text: growing.at(-1), error: undefined });
  });

  it('passes on the answer when it is complete, where the page paints parts of it anew', async () => {
    const code = '<pre><code class="language-js">let a;</code></pre>';
    const routes = painting('<p>```js</p>', '<p>```js let</p>', '<p>```js let a;</p>', code);
    const capture = { ...dom, format: 'markdown', stream: false };
    const result = await answer({ routes, recipe: { capture } });
    expect(result).toMatchObject({ text: '```js\nlet a;\n```', error: undefined });
  });

  it.each([
    [
      'reads on where the page is',
      '<div class="answer">Hello, World.</div>',
      { text: 'Hello, World.', error: undefined },
    ],
    [
      'fails where the page that lost it is',
      '',
      { error: expect.objectContaining({ fault: 'stream_reset' }) },
    ],
  ])('%s loaded anew', async (_what, shown, expected) => {
    const capture = { ...dom, stream: false };
    const later = chatPage(
      '',
      `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '${shown}'), 900)</script>`,
    );
    const routes = { ...painting('Hello', 'Hello, W', 'RELOAD'), '/later': later };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject(expected);
  });

  it('fails where the page takes back what was passed on', async () => {
    const routes = painting('Hello', 'Hello, World', 'Hello, World!', 'Good bye');
    const result = await answer({ routes, recipe: { capture: dom } });
    expect(result).toMatchObject({ error: expect.objectContaining({ fault: 'garbled_answer' }) });
  });

  it('reads what is within shadow roots, also of those that come later', async () => {
    const capture = {
      ...dom,
      answer: 'chat-app >>> .answer',
      busy: 'chat-app >>> #busy',
      format: 'markdown',
      exclude: ['.note'],
    };
    const routes = {
      '/': chatPage(
        `
        const shadow = (parent, tag) => parent.appendChild(document.createElement(tag)).attachShadow({ mode: 'open' });
        send.onclick = async () => {
          if (!take()) return;
          const app = shadow(document.querySelector('chat-app'), 'chat-list');
          app.innerHTML = '<button id="busy">Stop</button><div class="answer"><p>One.</p></div>';
          const [busy, shown] = app.children;
          const pause = () => new Promise((resolve) => setTimeout(resolve, 150));
          await pause();
          const code = shadow(shown, 'code-box');
          for (const text of ['let a', 'let a = 1;']) {
            code.innerHTML = '<b class="note">Copy</b><pre><code class="language-js"></code></pre><slot></slot>';
            code.querySelector('code').textContent = text;
            await pause();
          }
          code.host.innerHTML = '<p style="display: contents">Two.</p>';
          await pause();
          busy.remove();
        };`,
        '<chat-app></chat-app>',
      ),
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject({
      text: 'One.\n\n```js\nlet a = 1;\n```\n\nTwo.',
      error: undefined,
    });
  });

  it('says at once that a selector cannot be looked for', async () => {
    const capture = { ...dom, busy: '#busy:shown' };
    expect(await answer({ recipe: { capture } })).toMatchObject({
      error: expect.objectContaining({
        fault: 'page_failed',
        message: expect.stringContaining('#busy:shown'),
      }),
    });
  });

  it('reads the headers of another origin', async () => {
    const url = '{{site.origin.api}}/api/chat';
    const script = `send.onclick = () => post(take(), location.origin.replace('127.0.0.1', 'localhost') + '/api/chat');`;
    const capture = {
      mode: 'replay',
      request: { url },
      credentials: 'omit',
      format: 'sse',
      answer: { content: [{ path: 'text' }] },
    };
    const { error } = await answer({
      recipe: { allowedOrigins: ['{{site.origin}}', '{{site.origin.api}}'], capture },
      routes: {
        '/': chatPage(script),
        '/api/chat': (_request, response) => {
          response
            .writeHead(429, { 'access-control-allow-origin': '*', 'retry-after': '7' })
            .end('Slow down');
        },
      },
    });
    expect(error).toMatchObject({ fault: 'rate_limited', retryAfterMs: 7000 });
  });

  it('does not let a page send an earlier prompt of another conversation along', async () => {
    const script = `
      send.onclick = () => {
        const text = take();
        if (!text) return;
        const kept = [...JSON.parse(localStorage.kept ?? '[]'), text];
        localStorage.kept = JSON.stringify(kept);
        fetch('/api/chat', { method: 'POST', body: JSON.stringify(kept) });
      };`;
    site = await OddSite.start({ routes: { '/': chatPage(script) } });
    const session = await site.open();
    expect(await ask(session, 'What is the capital city of France, please?')).toMatchObject({
      text: 'Hello.',
    });
    const { error } = await ask(session, 'Which river flows through the old town?');
    await session.close();
    expect(error).toMatchObject({
      fault: 'blocked',
      message: expect.stringContaining('must begin a new conversation'),
    });
    expect(site.bodies).toHaveLength(1);
  });

  it('does not let one transcript be sent along with the next', async () => {
    const script = `
      send.onclick = () => {
        localStorage.kept = (localStorage.kept ?? '') + take();
        post(localStorage.kept);
      };`;
    site = await OddSite.start({ routes: { '/': chatPage(script) } });
    const session = await site.open();
    const transcript = (user: string): string =>
      renderPrompt([
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: user },
      ]);
    expect(await ask(session, transcript('My doctor says that I have diabetes.'))).toMatchObject({
      text: 'Hello.',
    });
    const { error } = await ask(session, transcript('Write a poem about the sea.'));
    await session.close();
    expect(error).toMatchObject({ fault: 'blocked' });
    expect(site.bodies).toHaveLength(1);
  });

  describe('where the site gives the page its earlier prompts', () => {
    const FIRST = 'What is the capital city of France, please?';
    const BLOCKED = { error: { fault: 'blocked' } };
    const HELLO = { text: 'Hello.', error: undefined };

    /**
     * Asks twice; `send(text, kept)` in the page sends a prompt, given the ones before it.
     * @param between gives another driver for the second prompt, if it is not to be the same
     */
    async function askTwice(
      send: string,
      between: () => Promise<WebDriver | void>,
    ): Promise<readonly Answer[]> {
      const script = `
        const sendAll = ${send};
        send.onclick = async () => {
          const text = take();
          if (text) await sendAll(text, await (await fetch('/kept')).json());
        };`;
      const routes: OddSiteOptions['routes'] = {
        '/': chatPage(script),
        '/kept': (_request, response) => response.end(JSON.stringify(site.bodies)),
      };
      site = await OddSite.start({ routes });
      const answers: Answer[] = [];
      let { driver } = site;
      for (const prompt of [FIRST, 'Which river flows through the old town?']) {
        const session = await site.open(driver);
        answers.push(await ask(session, prompt));
        await session.close();
        driver = (await between()) ?? driver;
      }
      return answers;
    }
    const nothing = (): Promise<void> => Promise.resolve();

    it('sees one along with the prompt, though the browser context is a new one', async () => {
      const answers = await askTwice('(text, kept) => post([...kept, text].join(" "))', () =>
        site.driver.forget('alice'),
      );
      expect(answers).toMatchObject([HELLO, BLOCKED]);
      expect(site.bodies).toHaveLength(1);
    });

    it('sees one along with the prompt, though another gateway has sent it', async () => {
      const handOver = async (): Promise<WebDriver> => {
        await (await site.open()).close();
        return site.startDriver();
      };
      const answers = await askTwice('(text, kept) => post([...kept, text].join(" "))', handOver);
      expect(answers).toMatchObject([HELLO, BLOCKED]);
      expect(site.bodies).toHaveLength(1);
    });

    it('sees one in a request of its own before the prompt', async () => {
      const send = 'async (text, kept) => { for (const one of kept) await post(one); await post(text); }';
      expect(await askTwice(send, nothing)).toMatchObject([HELLO, BLOCKED]);
      expect(site.bodies).toHaveLength(1);
    });

    it('lets the page save its list of chats once the prompt is out', async () => {
      const send = 'async (text, kept) => { const sent = post(text); await post(kept.join()); await sent; }';
      expect(await askTwice(send, nothing)).toMatchObject([HELLO, HELLO]);
    });
  });

  describe('a page that changes the text', () => {
    const sending = (text: string): OddSiteOptions['routes'] => ({
      '/': chatPage(`send.onclick = () => { const prompt = take(); post(prompt && ${text}); };`),
    });

    it('only in the form of its letters is answered', async () => {
      const routes = sending('prompt.normalize("NFC")');
      expect(await answer({ routes }, 'Re\u0301sume\u0301 of the file')).toMatchObject({
        text: 'Hello.',
        error: undefined,
      });
      expect(site.bodies).toHaveLength(1);
    });

    it('is kept from sending it', async () => {
      const { error } = await answer(
        { routes: sending('prompt.replaceAll("<", "&lt;")') },
        '<b>Tell me what this text is about, please',
      );
      expect(error).toMatchObject({ fault: 'prompt_altered' });
      expect(site.bodies).toEqual([]);
    });

    it('beyond recognition gets it twice at most, since it may not have been alive at first', async () => {
      const { error } = await answer({ routes: sending('btoa(prompt)') });
      expect(error).toMatchObject({ fault: 'prompt_altered' });
      expect(site.bodies).toHaveLength(2);
    });
  });

  it.each([
    ['cleans up behind a whole answer, whose caller leaves with its end', ' [DONE]', 'done', ['/cleaned']],
    [
      'stops an answer whose caller leaves before its end, and cleans up',
      ' {"text":"lo."}',
      'text',
      ['/stopped', '/cleaned'],
    ],
  ])('%s', async (_what, last, leavesAt, expected) => {
    const button = (id: string): string => `<button id="${id}" onclick="fetch('/${id}')">${id}</button>`;
    const asked: string[] = [];
    const cleaned = Promise.withResolvers<void>();
    const answered = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
      asked.push(url);
      response.end();
    };
    /** Late, so that a page that is closed at once takes its request back. */
    const answeredLate = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
      setTimeout(() => {
        asked.push(response.destroyed ? `${url}, taken back` : url);
        response.end();
        cleaned.resolve();
      }, 200);
    };
    site = await OddSite.start({
      routes: {
        '/': chatPage(undefined, button('cleaned') + button('stopped')),
        '/api/chat': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(`data: {"text":"Hel"}\n\ndata:${last}\n\n`);
        },
        '/cleaned': answeredLate,
        '/stopped': answered,
      },
      recipe: {
        cleanUp: [{ action: 'click', selector: '#cleaned' }],
        stop: [{ action: 'click', selector: '#stopped' }],
      },
    });
    const session = await site.open();
    const batches$ = session.send(requestOf('Say hello.'), {
      signal: new AbortController().signal,
      flow: new FlowValve(),
    });
    // As the gateway does with an answer that is over, or cut off by a limit.
    await lastValueFrom(batches$.pipe(takeWhile((batch) => batch.at(-1)?.type !== leavesAt)), {
      defaultValue: undefined,
    });
    await cleaned.promise;
    expect(asked).toEqual(expected);
    await session.close();
  });

  it('serves the next prompt while a clean-up fails, and says which', async () => {
    const cleanUp = [{ action: 'click', selector: '#gone' }];
    site = await OddSite.start({ recipe: { cleanUp } });
    const session = await site.open();
    const startedAt = performance.now();
    for (let at = 0; at < 3; at++) {
      expect(await ask(session, 'Say hello.')).toMatchObject({ text: 'Hello.', error: undefined });
    }
    await browserPace.expectWithin(performance.now() - startedAt, 8000);
    await session.close();
    expect(site.logLines.filter((line) => line.startsWith('A clean-up'))).toEqual(
      Array<string>(3).fill('A clean-up of the account alice failed: click #gone: not done in time.'),
    );
  });

  it('does not mind what becomes of the click once the prompt is out', async () => {
    const send = [
      { action: 'click', selector: '#send' },
      { action: 'waitFor', selector: '#never', timeoutMs: 300 },
    ];
    const routes: OddSiteOptions['routes'] = {
      '/api/chat': (_request, response) => void setTimeout(() => answerHello(response), 1000),
    };
    expect(await answer({ routes, recipe: { send } })).toMatchObject({ text: 'Hello.', error: undefined });
  });

  it.each([
    ['by the first element of its steps', {}],
    ['by the sign of its own', { landed: 'h1' }],
  ])('knows a landing page before a new chat %s', async (_name, more) => {
    const landing = '<!doctype html><h1>Welcome</h1><a href="/chat" id="start">Start</a>';
    const newChat = {
      url: '{{site.origin}}/',
      ready: '#prompt',
      steps: [{ action: 'click', selector: '#start' }],
    };
    const result = await answer({
      routes: { '/': landing, '/chat': chatPage() },
      recipe: { newChat: { ...newChat, ...more, timeoutMs: 10_000 } },
    });
    expect(result).toMatchObject({ text: 'Hello.', error: undefined });
  });
});
