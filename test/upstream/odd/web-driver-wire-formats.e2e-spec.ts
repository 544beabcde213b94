import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { describe, expect } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { chatPage, OddSite, type OddSiteOptions } from '../../support/upstream/odd-site.js';
import { ask } from '../../support/upstream/web-site.js';
import { TestsAtOnce } from '../../support/watch/tests-at-once.js';

const TEXT = 'def f():\n\treturn  {"a": [1]}\n\n\n"quoted" \\ <think>no</think> 👋 ü';
const PIECES = TEXT.match(/.{1,5}/gsu) ?? [];
const PROMPT = `Say "hello"\n\twith a tab, 👋, and {"some": ["JSON"]}, ${'more and more of it; '.repeat(9)}so.`;

interface Way {
  /** Default: fill. */
  readonly method?: 'request';
  /** What the page does with the prompt `text`. */
  readonly script: string;
  readonly capture: object;
  readonly routes?: OddSiteOptions['routes'];
  /** What the site answers to a frame of its socket. */
  readonly onFrame?: (frame: string, socket: WebSocket) => void;
  readonly answer?: string;
}

const onSend = (work: string): string =>
  `send.onclick = () => { const text = take(); if (text) { ${work} } };`;
const json = JSON.stringify;

/** SignalR: each record ends with the character 0x1e, and a frame may hold several. */
const SIGNALR: Way = {
  script: `const hub = new WebSocket('ws://' + location.host);
    const tell = (record) => hub.send(JSON.stringify(record) + '\\x1e');
    hub.onopen = () => tell({ protocol: 'json', version: 1 });
    ${onSend("tell({ type: 1, target: 'Ask', arguments: [text] });")}`,
  onFrame: (frame, socket) => {
    const { target, arguments: [text] = [] } = JSON.parse(frame.slice(0, -1)) as {
      target?: string;
      arguments?: string[];
    };
    const end = '\x1e';
    const tokens = PIECES.map((piece) => json({ type: 1, target: 'token', arguments: [piece] }) + end);
    if (target === undefined) {
      socket.send('{}\x1e');
    } else if (text === PROMPT) {
      socket.send([`{"type":6}${end}`, ...tokens.slice(0, 5)].join(''));
      tokens.slice(5).forEach((token) => socket.send(token));
      socket.send(`{"type":3,"invocationId":"0"}${end}`);
    }
  },
  capture: {
    mode: 'observe',
    transport: 'websocket',
    request: { url: '{{site.origin}}/', method: 'GET' },
    format: 'objects',
    answer: {
      content: [{ path: 'arguments[0]', when: [{ path: 'target', equals: 'token' }] }],
      done: [{ when: [{ path: 'type', equals: 3 }] }],
    },
  },
};

/** STOMP: lines of headers, the body, and the character 0. */
const STOMP: Way = {
  script: `const socket = new WebSocket('ws://' + location.host);
    ${onSend("socket.send('SEND\\ndestination:/app/ask\\n\\n' + JSON.stringify({ text }) + '\\0');")}`,
  onFrame: (frame, socket) => {
    const body = frame.slice(frame.indexOf('\n\n') + 2, -1);
    const tell = (record: object): void =>
      socket.send(`MESSAGE\ndestination:/topic/1\ncontent-type:application/json\n\n${json(record)}\0`);
    if ((JSON.parse(body) as { text: string }).text === PROMPT) {
      socket.send('\n');
      PIECES.forEach((delta) => tell({ delta }));
      tell({ end: true });
    }
  },
  capture: {
    mode: 'observe',
    transport: 'websocket',
    request: { url: '{{site.origin}}/', method: 'GET' },
    format: 'objects',
    answer: { content: [{ path: 'delta' }], done: [{ when: [{ path: 'end', equals: true }] }] },
  },
};

/** Pusher: the data of an event is a text that is JSON again. */
const PUSHER: Way = {
  script: `const socket = new WebSocket('ws://' + location.host);
    ${onSend("socket.send(JSON.stringify({ event: 'client-ask', data: JSON.stringify({ text }) }));")}`,
  onFrame: (frame, socket) => {
    const { data } = JSON.parse(frame) as { data: string };
    const tell = (event: string, value: object): void =>
      socket.send(json({ event, channel: 'private-1', data: json(value) }));
    if ((JSON.parse(data) as { text: string }).text === PROMPT) {
      PIECES.forEach((text) => tell('token', { chat: { text } }));
      tell('end', {});
    }
  },
  capture: {
    mode: 'observe',
    transport: 'websocket',
    request: { url: '{{site.origin}}/', method: 'GET' },
    format: 'json',
    answer: { content: [{ path: 'data{}.chat.text' }], done: [{ when: [{ path: 'event', equals: 'end' }] }] },
  },
};

const envelope = (record: object, flags = 0): Buffer => {
  const body = Buffer.from(json(record));
  const head = Buffer.alloc(5, flags);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
};

/** Connect: each message stands behind its length, also in the request. */
const CONNECT: Way = {
  script: onSend(`
    const message = new TextEncoder().encode(JSON.stringify({ message: { text } }));
    const body = new Uint8Array(5 + message.length);
    new DataView(body.buffer).setUint32(1, message.length);
    body.set(message, 5);
    post(text, '/api/chat', { body, headers: { 'content-type': 'application/connect+json' } });`),
  routes: {
    '/api/chat': ({ headers }, response, body) => {
      const message = body.slice(body.indexOf('{'));
      const isWhole = Number(headers['content-length']) === 5 + Buffer.byteLength(message);
      if (!isWhole || (JSON.parse(message) as { message: { text: string } }).message.text !== PROMPT) {
        response.writeHead(400).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/connect+json' });
      PIECES.forEach((text) => response.write(envelope({ block: { text } })));
      // A length that ends in a brace, as 123 does.
      response.write(envelope({ note: 'x'.repeat(123 - 11) }));
      response.end(envelope({ metadata: {} }, 2));
    },
  },
  capture: {
    mode: 'replay',
    request: { url: '{{site.origin}}/api/chat' },
    format: 'objects',
    answer: { content: [{ path: 'block.text' }], done: [{ when: [{ path: 'metadata' }] }] },
  },
};

/** JSON in JSON in a form; an answer of lines behind their lengths, each with the whole text so far in JSON in JSON. */
const BATCH: Way = {
  script: onSend(`
    const form = new URLSearchParams({ 'f.req': JSON.stringify([null, JSON.stringify([[text, 0]])]), at: 'x:1' });
    post(text, '/api/chat', { body: form });`),
  routes: {
    '/api/chat': (_request, response, body) => {
      const [, inner] = JSON.parse(new URLSearchParams(body).get('f.req') ?? '') as [null, string];
      const [[text]] = JSON.parse(inner) as [[string]];
      if (text !== PROMPT) {
        response.writeHead(400).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = (list: unknown): string => `${json(list).length + 2}\n${json(list)}\n`;
      const wrapped = (value: unknown): string => chunk([['wrb.fr', null, json(value)]]);
      response.write(")]}'\n\n");
      PIECES.forEach((_, at) =>
        response.write(wrapped([null, ['id'], [[PIECES.slice(0, at + 1).join('')]]])),
      );
      response.end(chunk([['e', 4, null, null, 131]]));
    },
  },
  capture: {
    mode: 'replay',
    request: { url: '{{site.origin}}/api/chat' },
    format: 'ndjson',
    delivery: 'snapshot',
    answer: { content: [{ path: '[0][2]{}[2][0][0]' }], done: [{ when: [{ path: '[0][0]', equals: 'e' }] }] },
  },
};

/** Whether it is the prompt that an address brings. */
const asks = ({ url = '' }: IncomingMessage): boolean =>
  new URL(url, 'http://site').searchParams.get('q') === PROMPT;

function answerWords(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: status\ndata: thinking\n\n');
  for (const piece of PIECES) {
    response.write(
      `${piece
        .split('\n')
        .map((line) => `data: ${line}\n`)
        .join('')}\n`,
    );
  }
  response.end('event: end\ndata:\n\n');
}

/** A prompt in an address, and events whose data is the text itself, of which the last one has none. */
const QUERY: Way = {
  script: onSend(`
    const source = new EventSource('/api/chat?' + new URLSearchParams({ model: 'x', q: text }));
    source.addEventListener('end', () => source.close());`),
  routes: {
    '/api/chat': (request, response) =>
      asks(request) ? answerWords(response) : void response.writeHead(400).end(),
  },
  capture: {
    mode: 'replay',
    request: { url: '{{site.origin}}/api/chat*', method: 'GET' },
    format: 'sse-text',
    answer: { content: [{ path: '$', event: 'message' }], done: [{ event: 'end' }] },
  },
};

/** Operations on a message, which leave out the place and the kind of the one before. */
const OPERATIONS: Way = {
  script: onSend('post(text);'),
  routes: {
    '/api/chat': (_request, response) => {
      const place = '/message/content/parts/0';
      const [first = '', second = '', ...rest] = PIECES;
      const message = (role: string, part: string): object => ({
        p: '',
        o: 'add',
        v: { message: { author: { role }, content: { parts: [part] } } },
      });
      const last = rest.pop();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: delta_encoding\ndata: "v1"\n\n');
      for (const record of [
        message('user', PROMPT),
        message('assistant', ''),
        { p: place, o: 'append', v: first },
        ...[second, ...rest].map((v) => ({ v })),
        {
          p: '',
          o: 'patch',
          v: [
            { p: place, o: 'append', v: last },
            { p: '/message/status', o: 'replace', v: 'finished_successfully' },
          ],
        },
      ]) {
        response.write(`event: delta\ndata: ${json(record)}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    },
  },
  capture: {
    mode: 'replay',
    request: { url: '{{site.origin}}/api/chat' },
    format: 'sse',
    answer: {
      bind: [
        { name: 'place', value: 'p' },
        { name: 'role', value: 'v.message.author.role' },
      ],
      content: [
        {
          path: 'v',
          when: [
            { sameAs: 'place', equals: '/message/content/parts/0' },
            { sameAs: 'role', equals: 'assistant' },
          ],
        },
        { each: 'v', path: 'v', when: [{ path: 'p', equals: '/message/content/parts/0' }] },
      ],
      done: [{ data: '[DONE]' }],
    },
  },
};

/** A page whose input keeps no lines, so that the prompt is put into what leaves. */
const putIn = (way: Way): Way => ({
  ...way,
  method: 'request',
  script: `prompt_.addEventListener('input', () => (prompt_.value = prompt_.value.replace(/\\s+/g, ' ')));
    ${way.script}`,
});

const observed = (way: Way, change: object = {}): Way => ({
  ...way,
  capture: { ...way.capture, mode: 'observe', ...change },
});

/** Each test has a site and a browser of its own, and they run at once: they wait for pages most of the time. */
describe('WebDriver, forms of prompts and answers on the wire', () => {
  const atOnce = new TestsAtOnce();

  atOnce.each<[string, Way]>([
    ['records of SignalR', SIGNALR],
    ['messages of STOMP', STOMP],
    ['JSON in events of Pusher', PUSHER],
    ['records of SignalR that the prompt is put into', putIn(SIGNALR)],
    ['messages of STOMP that the prompt is put into', putIn(STOMP)],
    ['JSON in events of Pusher that the prompt is put into', putIn(PUSHER)],
    ['messages of Connect', CONNECT],
    ['messages of Connect that the page reads', observed(CONNECT)],
    ['JSON in JSON in lines behind their lengths', BATCH],
    ['an EventSource whose address has the prompt', QUERY],
    [
      'an EventSource whose address has the prompt, and that the page reads',
      observed(QUERY, { transport: 'eventsource' }),
    ],
    ['operations that go on from the one before', OPERATIONS],
  ])('%s', async (_name, { script, capture, routes, onFrame, method }) => {
    const attach = (server: Server): void => {
      const sockets = onFrame && new WebSocketServer({ server });
      sockets?.on('connection', (socket) => {
        socket.on('message', (data: Buffer) => onFrame?.(data.toString(), socket));
      });
    };
    await using site = await OddSite.start({
      routes: { '/': chatPage(script), ...routes },
      recipe: { capture, prompt: { input: '#prompt', method } },
      attach,
    });
    const session = await site.open();
    const answer = await ask(session, PROMPT);
    await session.close();
    expect(answer).toMatchObject({ text: TEXT, error: undefined });
    expect(site.paths.filter((path) => path === '/api/chat').length).toBeLessThan(2);
  });

  atOnce.it('a prompt in a binary frame, whose answer is read off the page, goes out once', async () => {
    let asked = 0;
    const script = `const socket = new WebSocket('ws://' + location.host);
      const add = (tag, props) => document.body.append(Object.assign(document.createElement(tag), props));
      ${onSend("socket.send(new TextEncoder().encode('\\x12\\x07' + text + '\\x18\\x01'));")}
      socket.onmessage = () => {
        add('p', { id: 'busy' });
        add('p', { className: 'answer', textContent: 'Hello.' });
        setTimeout(() => document.querySelector('#busy').remove(), 200);
      };`;
    const attach = (server: Server): void => {
      new WebSocketServer({ server }).on('connection', (socket) => {
        socket.on('message', () => {
          asked++;
          // Longer than a page is given to send what it did not send at first.
          setTimeout(() => socket.send('now'), 4000);
        });
      });
    };
    const capture = { mode: 'dom', answer: '.answer', busy: '#busy' };
    await using site = await OddSite.start({
      attach,
      routes: { '/': chatPage(script) },
      recipe: { capture },
    });
    const session = await site.open();
    const answer = await ask(session, PROMPT);
    await session.close();
    expect(answer).toMatchObject({ text: 'Hello.', error: undefined });
    expect(asked).toBe(1);
  });

  atOnce.it('a prompt that leaves by a socket of a worker cannot be put in', async () => {
    const worker = `const socket = new WebSocket('ws://HOST'); onmessage = ({ data }) => socket.send(data);`;
    const source = json(`data:text/javascript,${encodeURIComponent(worker)}`);
    const script = `const worker = new Worker(${source}.replace('HOST', location.host));
      ${onSend('worker.postMessage(JSON.stringify({ text }));')}`;
    const prompt = { input: '#prompt', method: 'request' };
    await using site = await OddSite.start({
      attach: (server) => void new WebSocketServer({ server }),
      routes: { '/': chatPage(script) },
      recipe: { capture: PUSHER.capture, prompt },
    });
    const session = await site.open();
    const { error } = await ask(session, PROMPT);
    await session.close();
    expect(error).toMatchObject({ fault: 'page_failed', message: expect.stringContaining('a worker') });
  });

  atOnce.it('an answer is read off the page to which the prompt leads', async () => {
    const script = `const input = document.querySelector('#prompt');
      send.onclick = async () => { if (input.value) { await post(take()); location.assign('/chat/1'); } };`;
    const shown = `<div class="answer">Hel</div><p id="busy">…</p><script>setTimeout(() => {
      document.querySelector('.answer').textContent = 'Hello.';
      document.querySelector('#busy').remove();
    }, 300)</script>`;
    const capture = { mode: 'dom', answer: '.answer', busy: '#busy' };
    await using site = await OddSite.start({
      routes: { '/': chatPage(script), '/chat/1': chatPage(undefined, shown) },
      recipe: { capture },
    });
    const session = await site.open();
    const answer = await ask(session, PROMPT);
    await session.close();
    expect(answer).toMatchObject({ text: 'Hello.', error: undefined });
    expect(site.bodies).toHaveLength(1);
  });

  atOnce.it('a prompt in an address that the recipe does not know goes out once', async () => {
    let asked = 0;
    await using site = await OddSite.start({
      firstByteMs: 5000,
      routes: {
        '/': chatPage(QUERY.script.replace('/api/chat', '/other')),
        '/other': (request, response) => {
          asked += Number(asks(request));
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        },
      },
    });
    const session = await site.open();
    const { error } = await ask(session, PROMPT);
    await session.close();
    expect(error).toMatchObject({
      fault: 'first_byte_timeout',
      message: expect.stringContaining(`The page sent the prompt with GET ${site.origin}/other`),
    });
    expect(asked).toBe(1);
  });
});
