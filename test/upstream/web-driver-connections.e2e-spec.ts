import { type Server as HttpServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Server, type Socket } from 'socket.io';
import { chatPage, OddSite, type OddSiteOptions } from '../support/upstream/odd-site.js';
import { type Answer, ask } from '../support/upstream/web-site.js';

const TEXT = 'def f():\n\treturn  1\n\n\n| a | b |\n"quoted" \\ <think>no</think> 👋 ü';
const PIECES = TEXT.match(/.{1,5}/gsu) ?? [];
const PROMPT = 'Say "hello"\n\twith a tab, 👋.';
const HARD = { text: TEXT, reasoning: 'Hm, so.', error: undefined };

/** Records of an answer as Chainlit-like sites send them, with one of another conversation after each. */
function records(id: string): [string, object][] {
  const own: [string, object][] = [
    ['start', { thread: id, id: 's1', kind: 'step' }],
    ['token', { id: 's1', token: 'Hm, ' }],
    ['start', { thread: id, id: 'a1', kind: 'answer' }],
    ['token', { id: 's1', token: 'so.' }],
    ...PIECES.map((token): [string, object] => ['token', { id: 'a1', token }]),
  ];
  const other = (at: number): [string, object] =>
    at === 0
      ? ['start', { thread: 'other', id: 'a0', kind: 'answer' }]
      : at === 1
        ? ['done', { thread: 'other' }]
        : ['token', { id: 'a0', token: 'NO' }];
  return [...own.flatMap((record, at) => [other(at), record]), ['done', { thread: id }]];
}

const kind = (equals: string): object[] => [{ path: '[1].id', sameAs: 'kind', equals }];
const SOCKET_IO = {
  mode: 'observe',
  transport: 'socketio',
  request: { url: '{{site.origin}}/socket.io/*' },
  format: 'json',
  answer: {
    bind: [{ name: 'kind', event: 'start', path: '[1].id', value: '[1].kind' }],
    content: [{ event: 'token', path: '[1].token', when: kind('answer') }],
    reasoning: [{ event: 'token', path: '[1].token', when: kind('step') }],
    done: [{ event: 'done' }],
  },
};

/** The same rules for records `{"event", "data"}`. */
const plainKind = (equals: string): object[] => [
  { path: 'event', equals: 'token' },
  { path: 'data.id', sameAs: 'kind', equals },
];
const PLAIN_ANSWER = {
  bind: [
    {
      name: 'kind',
      path: 'data.id',
      value: 'data.kind',
      when: [{ path: 'event', equals: 'start' }],
    },
  ],
  content: [{ path: 'data.token', when: plainKind('answer') }],
  reasoning: [{ path: 'data.token', when: plainKind('step') }],
  done: [{ when: [{ path: 'event', equals: 'done' }] }],
};

const CLIENT = '<script src="/socket.io/socket.io.js"></script>';

describe('WebDriver, answers over connections that are not theirs alone', () => {
  let site: OddSite;
  let io: Server | undefined;

  afterEach(async () => {
    void io?.close();
    io = undefined;
    await site.close();
  });

  async function answer(options: OddSiteOptions): Promise<Answer> {
    site = await OddSite.start(options);
    const session = await site.open();
    try {
      return await ask(session, PROMPT);
    } finally {
      await session.close();
    }
  }

  const socketServer =
    (onConnection: (socket: Socket) => void) =>
    (server: HttpServer): void => {
      io = new Server(server);
      io.on('connection', onConnection);
    };

  describe.each([
    ['a socket', ['websocket']],
    ['long polling', ['polling']],
    ['long polling and then a socket', ['polling', 'websocket']],
  ])('socket.io over %s', (_name, transports) => {
    it('brings prompt and answer, with reasoning apart', async () => {
      const prompts: string[] = [];
      const attach = socketServer((socket) => {
        socket.on('say', (message: { text: string }) => {
          prompts.push(message.text);
          socket.emit('binary', Buffer.from([1, 2, 3]));
          records('mine').forEach(([event, data]) => socket.emit(event, data));
        });
      });
      const script = `const socket = io(${JSON.stringify({ transports })});
        send.onclick = () => { const text = take(); if (text) socket.emit('say', { text }); };`;
      // Such a site names the conversation nowhere but in its own records.
      const when = [{ path: '[1].thread', equals: 'mine' }];
      const bind = [{ name: 'kind', event: 'start', path: '[1].id', value: '[1].kind', when }];
      const rules = { ...SOCKET_IO.answer, bind, done: [{ event: 'done', when }] };
      const routes = { '/': chatPage(script, CLIENT) };
      const result = await answer({ attach, routes, recipe: { capture: { ...SOCKET_IO, answer: rules } } });
      expect(result).toMatchObject(HARD);
      expect(prompts).toEqual([PROMPT]);
    });
  });

  it('a prompt by POST is answered on a socket of all conversations, by the id in its answer', async () => {
    const attach = socketServer(() => undefined);
    const script = `const socket = io();
      send.onclick = () => post(take());`;
    const capture = {
      ...SOCKET_IO,
      promptRequest: { url: '{{site.origin}}/api/chat' },
      answer: {
        ...SOCKET_IO.answer,
        conversation: { responsePath: 'thread.id', path: '[1].thread' },
      },
    };
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script, CLIENT),
      '/api/chat': (_request, response) => {
        const list = records('mine');
        // Half of the answer comes before the prompt's own one, which says whose it is.
        list.slice(0, 9).forEach(([event, data]) => io?.emit(event, data));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"thread":{"id":"mine"}}');
        list.slice(9).forEach(([event, data]) => io?.emit(event, data));
      },
    };
    expect(await answer({ attach, routes, recipe: { capture } })).toMatchObject(HARD);
    expect(site.bodies).toEqual([JSON.stringify({ prompt: PROMPT })]);
  });

  describe('on a page that has lost its socket', () => {
    const capture = {
      ...SOCKET_IO,
      promptRequest: { url: '{{site.origin}}/api/chat' },
      answer: { ...SOCKET_IO.answer, conversation: { responsePath: 'thread', path: '[1].thread' } },
    };
    const newChat = { url: '{{site.origin}}/', ready: '.connected #prompt' };
    // A request that the driver looks at: once it is answered, the driver knows of the end of the socket, too.
    const lookedAt = `['/api/chat', { method: 'POST', body: 'lost' }]`;
    const socket = `const socket = io({ transports: ['websocket'], reconnectionDelay: 600_000 });
      socket.on('connect', () => (document.body.className = 'connected'));`;
    const attach = socketServer(() => undefined);
    const cut = (): void => io?.sockets.sockets.forEach(({ conn }) => conn.close());
    const answerPrompt = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"thread":"mine"}');
      records('mine').forEach(([event, data]) => io?.emit(event, data));
    };

    it('takes a new page', async () => {
      const lost = Promise.withResolvers<void>();
      const script = `${socket}
        socket.on('disconnect', () => fetch(...${lookedAt}));
        send.onclick = () => post(take());`;
      const routes: OddSiteOptions['routes'] = {
        '/': chatPage(script, CLIENT),
        '/api/chat': (_request, response, body) => {
          if (body === 'lost') {
            response.end();
            lost.resolve();
          } else {
            answerPrompt(response);
          }
        },
      };
      site = await OddSite.start({ attach, routes, recipe: { capture, newChat } });
      const session = await site.open();
      cut();
      await lost.promise;
      expect(await ask(session, PROMPT)).toMatchObject(HARD);
      expect(site.bodies).toEqual(['lost', JSON.stringify({ prompt: PROMPT })]);
      await session.close();
    });

    it('sends no prompt', async () => {
      const script = `${socket}
        send.onclick = () => {
          const text = take();
          if (!text) return;
          socket.on('disconnect', () => fetch(...${lookedAt}).then(() => post(text)));
          fetch('/api/cut');
        };`;
      const routes: OddSiteOptions['routes'] = {
        '/': chatPage(script, CLIENT),
        '/api/chat': (_request, response, body) =>
          body === 'lost' ? response.end() : answerPrompt(response),
        '/api/cut': (_request, response) => {
          response.end();
          cut();
        },
      };
      const { error } = await answer({ attach, routes, recipe: { capture, newChat } });
      expect(error).toMatchObject({
        fault: 'stream_reset',
        message: 'The page has lost its connection to the site.',
      });
      expect(site.bodies).toEqual(['lost']);
    });
  });

  const asEvents = (list: [string, object][]): string =>
    list.map(([event, data]) => `data: ${JSON.stringify({ event, data })}\n\n`).join('');
  const openStream = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();

  it('a prompt by POST is answered on an EventSource that was open before, by the page’s address', async () => {
    let stream: ServerResponse | undefined;
    const script = `const source = new EventSource('/api/events');
      source.onopen = () => (document.body.className = 'connected');
      send.onclick = async () => {
        const text = take();
        if (!text) return;
        const { id } = JSON.parse(await post(text));
        history.pushState(null, '', '/c/' + id);
      };`;
    const capture = {
      mode: 'observe',
      transport: 'eventsource',
      request: { url: '{{site.origin}}/api/events', method: 'GET' },
      promptRequest: { url: '{{site.origin}}/api/chat' },
      format: 'sse',
      answer: {
        ...PLAIN_ANSWER,
        conversation: { pageUrl: '{{site.origin}}/c/*', path: 'data.thread' },
      },
    };
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script),
      '/api/events': (_request, response) => {
        openStream(response);
        stream = response;
      },
      '/api/chat': (_request, response) => {
        stream?.write(asEvents(records('42')));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"id":42}');
      },
    };
    const newChat = { url: '{{site.origin}}/', ready: '.connected #prompt' };
    expect(await answer({ routes, recipe: { capture, newChat } })).toMatchObject(HARD);
  });

  it.each(['replay', 'observe'])('a second request has the id of the first in its URL: %s', async (mode) => {
    const script = `
      send.onclick = async () => {
        const text = take();
        if (!text) return;
        const { id } = JSON.parse(await post(text));
        fetch('/api/stream/older').then((response) => response.text());
        fetch('/api/stream/' + id).then((response) => response.text());
      };`;
    const capture = {
      mode,
      request: { url: '{{site.origin}}/api/stream/*', method: 'GET' },
      promptRequest: { url: '{{site.origin}}/api/chat' },
      format: 'sse',
      answer: { ...PLAIN_ANSWER, conversation: { responsePath: 'id' } },
    };
    const own = records('x').filter(([, data]) => !JSON.stringify(data).match(/other|a0/));
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script),
      '/api/chat': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"id":"mine"}');
      },
      '/api/stream/older': (_request, response) => {
        openStream(response);
        response.end(asEvents([['done', {}]]));
      },
      '/api/stream/mine': (_request, response) => {
        openStream(response);
        response.end(asEvents(own));
      },
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject(HARD);
  });

  it('an answer is polled for', async () => {
    const script = `
      send.onclick = async () => {
        const text = take();
        if (!text) return;
        await post(text);
        while (!(await (await fetch('/api/poll')).json()).done);
      };`;
    const capture = {
      mode: 'observe',
      transport: 'polling',
      request: { url: '{{site.origin}}/api/poll', method: 'GET' },
      promptRequest: { url: '{{site.origin}}/api/chat' },
      format: 'json',
      delivery: 'snapshot',
      answer: {
        content: [{ path: 'text' }],
        reasoning: [{ path: 'thought' }],
        done: [{ when: [{ path: 'done', equals: true }] }],
      },
    };
    let polls = 0;
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script),
      '/api/poll': (_request, response) => {
        polls++;
        const done = polls === PIECES.length;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ thought: 'Hm, so.', text: PIECES.slice(0, polls).join(''), done }));
      },
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject(HARD);
  });

  it('only the request that holds the prompt is the prompt’s', async () => {
    const script = `
      const call = (fn, data) => fetch('/api/call', { method: 'POST', body: JSON.stringify({ fn, data }) });
      send.onclick = async () => {
        const text = take();
        if (!text) return;
        await (await call('clear', [])).json();
        const answer = call('chat', [text]);
        await (await call('log', ['sent'])).json();
        await (await answer).text();
      };`;
    const capture = {
      mode: 'replay',
      request: { url: '{{site.origin}}/api/call' },
      format: 'sse',
      answer: { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] },
    };
    const called: string[] = [];
    const routes: OddSiteOptions['routes'] = {
      '/': chatPage(script),
      '/api/call': (_request, response, body) => {
        const { fn } = JSON.parse(body) as { fn: string };
        called.push(fn);
        if (fn !== 'chat') {
          response.end('{}');
          return;
        }
        openStream(response);
        response.end(`data: ${JSON.stringify({ text: TEXT })}\n\ndata: [DONE]\n\n`);
      },
    };
    expect(await answer({ routes, recipe: { capture } })).toMatchObject({ text: TEXT, error: undefined });
    expect(called.sort()).toEqual(['chat', 'clear', 'log']);
  });

  it('says what came if nothing of it is an answer', async () => {
    const attach = socketServer((socket) => socket.on('say', () => socket.emit('news', { n: 1 })));
    const script = `const socket = io();
      send.onclick = () => { const text = take(); if (text) socket.emit('say', { text }); };`;
    const { error } = await answer({
      attach,
      routes: { '/': chatPage(script, CLIENT) },
      recipe: { capture: SOCKET_IO },
      firstByteMs: 3000,
    });
    expect(error).toMatchObject({
      fault: 'first_byte_timeout',
      message: expect.stringMatching(/records? came, of which none fits a rule of capture.answer/),
    });
  });
});
