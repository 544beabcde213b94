import { type Server as HttpServer } from 'node:http';
import { describe, expect } from '@jest/globals';
import { Server, type Socket } from 'socket.io';
import { WebSocketServer } from 'ws';
import { Settings } from '../../src/common/config/settings.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { RecipeCheck } from '../../tools/recipe/check/recipe-check.js';
import {
  answerHello,
  chatPage,
  oddRecipe,
  OddSite,
  type OddSiteOptions,
} from '../support/upstream/odd-site.js';
import { TestsAtOnce } from '../support/watch/tests-at-once.js';

/** Long enough for a busy machine to have sent the prompt by then. */
const SILENCE_MS = 8000;
const CLIENT = '<script src="/socket.io/socket.io.js"></script>';
const PLAIN = {
  mode: 'replay',
  request: { url: '{{site.origin}}/api/chat' },
  format: 'sse',
  answer: { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] },
};
const SOCKET = {
  ...PLAIN,
  mode: 'observe',
  transport: 'websocket',
  request: { url: '{{site.origin}}/socket' },
  format: 'json',
  answer: { content: [{ path: 'text' }], done: [{ when: [{ path: 'done' }] }] },
};
const SOCKET_IO = {
  ...SOCKET,
  transport: 'socketio',
  request: { url: '{{site.origin}}/socket.io/*' },
  answer: { content: [{ event: 'token', path: '[1]' }], done: [{ event: 'end' }] },
};
const socketPage = (send: string): string =>
  chatPage(`const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
    send.onclick = () => { const text = take(); if (text) socket.send(${send}); };`);

/**
 * The report of `recipe:check` must match the driver's behaviour on a caller's prompt. Most of the checks wait for what
 * does not come, each with a site and a browser of its own: they wait at once.
 */
describe('RecipeCheck, its signs', () => {
  const atOnce = new TestsAtOnce();

  /** @param firstByteMs short only where nothing is to come: a slow machine then says the same */
  async function check(
    options: OddSiteOptions,
    firstByteMs = 60_000,
    prompt = 'Say hello.',
  ): Promise<{ ok: boolean; lines: string[] }> {
    await using site = await OddSite.start(options);
    const { origin, folder } = site;
    const lines: string[] = [];
    const ok = await new RecipeCheck({
      recipe: oddRecipe(options.recipe),
      variables: { 'site.origin': origin },
      credentials: {},
      prompt,
      model: 'any',
      thinking: true,
      screenshotFolder: folder,
      settings: Object.assign(new Settings(), {
        DATA_DIR: folder,
        BROWSER_EXECUTABLE_PATH: process.env.BROWSER_EXECUTABLE_PATH,
        UPSTREAM_FIRST_BYTE_MS: firstByteMs,
        UPSTREAM_IDLE_MS: firstByteMs,
      }),
      clock: new SystemClock(),
      print: (line) =>
        lines.push(
          line
            .replace(/ \(\d+ ms\)$/, '')
            .replaceAll(origin, '')
            .replaceAll(origin.replace('http', 'ws'), ''),
        ),
      signal: new AbortController().signal,
    }).run();
    return { ok, lines };
  }

  /** The capture's signs, and where the check ends. */
  const told = (lines: readonly string[]): string[] =>
    lines.filter((line) => /capture|^✗|error: |answer/.test(line));

  const withSocketIo = (onSay: (socket: Socket, text: string) => void): OddSiteOptions => ({
    attach: (server: HttpServer) => {
      const io = new Server(server);
      io.on('connection', (socket) => socket.on('say', (text: string) => onSay(socket, text)));
    },
    routes: {
      '/': chatPage(
        `const socket = io(); send.onclick = () => { const text = take(); if (text) socket.emit('say', text); };`,
        CLIENT,
      ),
    },
  });

  const withSocket = (page: string): OddSiteOptions => ({
    attach: (server: HttpServer) => void new WebSocketServer({ server }),
    routes: { '/': page },
  });

  atOnce.it('shows what a socket.io site is read from', async () => {
    const { ok, lines } = await check({
      ...withSocketIo((socket) => {
        socket.emit('token', 'Hello.');
        socket.emit('end');
      }),
      recipe: { capture: SOCKET_IO },
    });
    expect(ok).toBe(true);
    expect(lines.filter((line) => line.includes('no capture rule takes'))).toEqual([]);
    expect(lines).toContain('✓ capture.request follows WebSocket /socket.io/?EIO=4&transport=…&sid=…');
    expect(lines).toContainEqual(
      expect.stringMatching(/^✓ capture\.request(?:: the prompt leaves in a frame of| takes) /),
    );
    expect(lines).toContain('✓ answer, 6 characters: “Hello.”');
  });

  atOnce.it('gives no ✓ to a request that the driver passes on, since it holds no prompt', async () => {
    const routes = { '/': chatPage(`send.onclick = () => post('nothing of it');`) };
    const { ok, lines } = await check({ routes }, SILENCE_MS);
    expect(ok).toBe(false);
    expect(told(lines)).toEqual([
      '· capture.request fits POST /api/chat, but it does not hold the prompt',
      '✗ capture.request',
      expect.stringMatching(
        /^ {2}error: .* Requests that fit the recipe: \d+, none of them with the prompt\.$/,
      ),
    ]);
  });

  atOnce.it('names a condition on the body that does not hold', async () => {
    const request = { url: '{{site.origin}}/api/chat', when: [{ path: 'kind', equals: 'chat' }] };
    const { ok, lines } = await check({ recipe: { capture: { ...PLAIN, request } } }, SILENCE_MS);
    expect(ok).toBe(false);
    expect(lines).toContain('· no capture rule takes POST /api/chat: capture.request.when does not hold');
    expect(lines.filter((line) => line.startsWith('✓ capture'))).toEqual([]);
  });

  atOnce.it('gives no ✓ to a prompt that the page cuts', async () => {
    const cut = `send.onclick = () => post(take().slice(0, -20));`;
    const { ok, lines } = await check({ routes: { '/': chatPage(cut) } }, 60_000, 'Say hello. '.repeat(50));
    expect(ok).toBe(false);
    expect(told(lines)).toEqual(['✗ prompt', '  error: The site sends only a part of the prompt.']);
  });

  atOnce.it('says that a socket needs another capture', async () => {
    const { ok, lines } = await check(
      {
        ...withSocket(socketPage('JSON.stringify({ text })')),
        recipe: { capture: { ...PLAIN, request: SOCKET.request } },
      },
      SILENCE_MS,
    );
    expect(ok).toBe(false);
    expect(lines).toContain('· no capture rule takes WebSocket /socket: capture.mode is replay');
    expect(lines).toContain('· the prompt left in a frame of WebSocket /socket');
  });

  atOnce.it('says that frames are binary', async () => {
    const { ok, lines } = await check(
      { ...withSocket(socketPage('new TextEncoder().encode(text)')), recipe: { capture: SOCKET } },
      SILENCE_MS,
    );
    expect(ok).toBe(false);
    expect(told(lines)).toEqual([
      '✓ capture.request follows WebSocket /socket',
      '✗ capture.request',
      expect.stringMatching(
        /No text frame .* holds the prompt\. Binary frames, which cannot be read: \d+\.$/,
      ),
    ]);
  });

  atOnce.it('says that nothing fits the request for the answer', async () => {
    const capture = {
      ...PLAIN,
      promptRequest: { url: '{{site.origin}}/api/chat' },
      request: { url: '{{site.origin}}/api/answer', method: 'GET' },
    };
    const { ok, lines } = await check({ recipe: { capture } }, SILENCE_MS);
    expect(ok).toBe(false);
    expect(told(lines)).toEqual([
      '✓ capture.promptRequest takes POST /api/chat',
      '✗ capture.request',
      expect.stringMatching(/nothing that fits capture\.request was seen\.$/),
    ]);
  });

  atOnce.it('gives no ✓ to an answer without its end, nor to its parts', async () => {
    const { ok, lines } = await check({
      routes: {
        '/api/chat': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"text":"Hello."}\n\n');
        },
      },
    });
    expect(ok).toBe(false);
    expect(lines).toContain('· answer, 6 characters: “Hello.”');
    expect(told(lines).slice(-2)).toEqual([
      '✗ capture.answer',
      '  error: The answer ended without what capture.answer.done asks for.',
    ]);
  });

  atOnce.it('fails where two states of a text would be glued', async () => {
    const { ok, lines } = await check({
      recipe: { capture: { ...PLAIN, delivery: 'snapshot' } },
      routes: {
        '/api/chat': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('data: {"text":"Thinking"}\n\ndata: {"text":"Hello."}\n\ndata: [DONE]\n\n');
        },
      },
    });
    expect(ok).toBe(false);
    expect(told(lines).slice(-2)).toEqual([
      '✗ capture.answer',
      '  error: The site changed text that was already passed on.',
    ]);
  });

  atOnce.each([
    [
      'sends along',
      `const turns = JSON.parse(localStorage.turns ?? '[]');
       send.onclick = () => {
         const text = take();
         if (!text) return;
         localStorage.turns = JSON.stringify([...turns, text]);
         fetch('/api/chat', { method: 'POST', body: localStorage.turns });
       };`,
      '  error: The page also sends an earlier prompt of this account: its recipe must begin a new conversation.',
    ],
    [
      'shows',
      `const show = (text) => document.body.append(text);
       show(localStorage.chat ?? '');
       send.onclick = () => {
         const text = take();
         if (!text) return;
         localStorage.chat = text + ' Hello.';
         post(text);
       };`,
      '  error: The page of a new chat shows the conversation before.',
    ],
  ])('fails where a new chat %s the one before', async (_how, script, error) => {
    const { ok, lines } = await check({ routes: { '/': chatPage(script) } });
    expect(ok).toBe(false);
    expect(lines).toContain('✓ answer, 6 characters: “Hello.”');
    expect(lines.filter((line) => /^✗|error: /.test(line))).toEqual(['✗ newChat', error]);
  });

  atOnce.each([
    ['', 'Nothing that fits capture.busy showed.'],
    ['<p id="busy">x</p>', 'What fits capture.busy showed before the prompt was sent, and did not go.'],
  ])('names what is wrong with capture.busy: %j', async (body, why) => {
    const capture = { mode: 'dom', answer: '.answer', busy: '#busy' };
    const routes = { '/': chatPage(undefined, body) };
    const { ok, lines } = await check({ routes, recipe: { capture } }, SILENCE_MS);
    expect(ok).toBe(false);
    expect(told(lines)).toEqual([
      '✗ capture.busy',
      expect.stringMatching(new RegExp(`^ {2}error: .*${why}$`)),
    ]);
  });

  atOnce.it(
    'tells of steps that failed without a consequence, and of those that were not tried',
    async () => {
      const missing = { action: 'click', selector: '#missing', timeoutMs: 200 };
      const recipe = {
        cleanUp: [missing],
        stop: [missing],
        login: { steps: [missing], success: { selector: '#prompt' } },
      };
      const { ok, lines } = await check({
        recipe: { ...recipe, signs: { loginWall: { page: [{ selector: '#wall' }] } } },
        routes: { '/api/chat': (_request, response) => answerHello(response) },
      });
      expect(ok).toBe(true);
      expect(lines).toContain('· login: not asked for, so that login.steps are not checked');
      expect(lines).toContainEqual(
        expect.stringMatching(/^· cleanUp\[0\] click #missing: failed, which is passed over: /),
      );
      expect(lines).toContain('· not tried: login.steps, stop');
    },
  );
});
