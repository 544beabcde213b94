import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type RequestOptions,
  type Server,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import WebSocket, { WebSocketServer } from 'ws';
import { BoundaryProxy, type RefusedRequest } from './boundary-proxy.js';
import { EgressPolicy, RefusedError } from './egress-policy.js';

let site: Server;
let proxy: BoundaryProxy;
const refusals: RefusedRequest[] = [];
/** Of the browser, which keeps its connections. */
let browser: Agent;

afterEach(async () => {
  browser.destroy();
  proxy.close();
  proxy.close();
  site.closeAllConnections();
  site.close();
  refusals.length = 0;
});

/** A site and a proxy that allows it, under this name too. */
async function start(serve: RequestListener, names: readonly string[] = ['127.0.0.1']): Promise<void> {
  site = createServer(serve);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  browser = new Agent({ keepAlive: true });
  const policy = new EgressPolicy(
    { allowedOrigins: names.map((name) => `http://${name}:${sitePort()}`) },
    undefined,
    async () => [{ address: '127.0.0.1', family: 4 }],
  );
  proxy = await BoundaryProxy.listen(policy, (refusal) => refusals.push(refusal));
}

const sitePort = (): number => (site.address() as AddressInfo).port;
const siteHost = (): string => `127.0.0.1:${sitePort()}`;
const proxyPort = (): number => Number(new URL(proxy.url).port);

/** Sends a request in absolute form. */
function send(path: string, options: RequestOptions = {}, body = ''): ClientRequest {
  const host = site.listening ? siteHost() : 'gone';
  const headers = { host, ...options.headers };
  const sent = request({
    agent: browser,
    port: proxyPort(),
    path: path.startsWith('/') ? `http://${siteHost()}${path}` : path,
    ...options,
    headers,
  });
  sent.end(Buffer.from(body));
  return sent;
}

/** The response, of which nothing has been read but the head. */
async function headOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

async function answerTo(
  ...args: Parameters<typeof send>
): Promise<[status: number | undefined, body: string]> {
  const answer = await headOf(send(...args));
  return [answer.statusCode, await text(answer)];
}

/** Sends bytes to the proxy and gives the connection. */
async function raw(bytes: string): Promise<Socket> {
  const socket = connect(proxyPort(), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

async function tunnel(): Promise<Socket> {
  const socket = await raw(`CONNECT ${siteHost()} HTTP/1.1\r\nHost: ${siteHost()}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(String(head)).toBe('HTTP/1.1 200 Connection Established\r\n\r\n');
  return socket;
}

/** Resolves once no connection is left at the proxy. */
async function emptied(): Promise<void> {
  while (proxy.size > 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('BoundaryProxy, plain requests', () => {
  it('passes method, path, fields and body on, and the response back as it is', async () => {
    await start((incoming, response) => {
      void text(incoming).then((body) => {
        const { method, url, rawHeaders } = incoming;
        response.sendDate = false;
        response.writeHead(201, 'Made', ['Set-Cookie', 'a=ü', 'Set-Cookie', 'b=2', 'Content-Length', '4']);
        response.end(Buffer.from('done'));
        expect([method, url, body]).toEqual(['PUT', '/a%20b?c=d', 'text']);
        expect(rawHeaders).toEqual([
          ...['host', siteHost()],
          ...['X-Own', 'ä'],
          ...['Content-Length', '4'],
          ...['Connection', 'keep-alive'],
        ]);
      });
    });
    const fields = { 'X-Own': 'ä', 'proxy-connection': 'keep-alive', 'Content-Length': '4' };
    const answer = await headOf(send('/a%20b?c=d', { method: 'PUT', headers: fields }, 'text'));
    expect([answer.statusCode, answer.statusMessage]).toEqual([201, 'Made']);
    expect(answer.rawHeaders.slice(0, 6)).toEqual([
      ...['Set-Cookie', 'a=ü', 'Set-Cookie', 'b=2'],
      ...['Content-Length', '4'],
    ]);
    expect(await text(answer)).toBe('done');
  });

  it.each(['GET', 'POST', 'DELETE'])('frames a %s with a chunked body anew', async (method) => {
    await start((incoming, response) => void text(incoming).then((body) => response.end(`${body}!`)));
    const headers = { 'transfer-encoding': 'chunked' };
    expect(await answerTo('/', { method, headers }, 'text')).toEqual([200, 'text!']);
    expect(await answerTo('/', { method })).toEqual([200, '!']);
  });

  it.each([
    [204, 'GET', ''],
    [304, 'GET', ''],
    [200, 'HEAD', ''],
  ])('passes a %i to %s without a body', async (status, method, body) => {
    await start((_incoming, response) => response.writeHead(status).end(status === 200 ? 'text' : undefined));
    expect(await answerTo('/', { method })).toEqual([status, body]);
    expect(await answerTo('/', { method })).toEqual([status, body]);
  });

  it('uses one connection to the site for one of the browser, which end together', async () => {
    let connections = 0;
    await start((_incoming, response) => response.end('text'));
    site.on('connection', () => connections++);
    for (let sent = 0; sent < 5; sent++) {
      expect(await answerTo('/')).toEqual([200, 'text']);
    }
    expect([connections, proxy.size]).toEqual([1, 1]);
    site.closeIdleConnections();
    await emptied();
    expect(await answerTo('/')).toEqual([200, 'text']);
    expect(connections).toBe(2);
  });

  it('gives a body that ends with its connection whole', async () => {
    const body = 'x'.repeat(3_000_000);
    await start(({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`));
    const [status, got] = await answerTo('/');
    expect([status, got.length]).toEqual([200, body.length]);
  });

  it('streams: the head before the body, each piece as it comes, and no more than is read', async () => {
    const pieces = ['one', 'two', 'three'];
    let next: () => void = () => undefined;
    let written = 0;
    await start((_incoming, response) => {
      response.flushHeaders();
      next = () => {
        const piece = pieces.shift();
        if (piece !== undefined) {
          response.write(piece);
          return;
        }
        const fill = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) {
            written++;
          }
        };
        response.on('drain', fill);
        fill();
      };
    });
    const answer = await headOf(send('/'));
    for (const piece of [...pieces]) {
      next();
      expect(String((await once(answer, 'data'))[0])).toBe(piece);
    }
    answer.pause();
    next();
    let [before, still] = [-1, 0];
    while (still < 1000) {
      still = before === written ? still + 1 : 0;
      before = written;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // What the buffers of five sockets hold.
    expect(written * 65_536).toBeLessThan(64 * 2 ** 20);
    answer.destroy();
    await emptied();
  });

  it('ends the request at the site when the browser leaves in the middle', async () => {
    const left = Promise.withResolvers<void>();
    await start((_incoming, response) => {
      response.on('close', () => left.resolve());
      response.write('one');
    });
    const answer = await headOf(send('/'));
    await once(answer, 'data');
    answer.destroy();
    await left.promise;
    await emptied();
  });

  it('breaks the response when the site breaks it', async () => {
    await start((_incoming, response) => {
      response.write('one');
      setImmediate(() => response.destroy());
    });
    const answer = await headOf(send('/'));
    await expect(text(answer)).rejects.toThrow('aborted');
    await emptied();
  });

  it('ends the connection without an answer if the site cannot be reached', async () => {
    await start(() => undefined);
    const path = `http://${siteHost()}/`;
    site.close();
    await expect(once(send(path), 'response')).rejects.toThrow('socket hang up');
    expect(refusals).toEqual([]);
  });
});

describe('BoundaryProxy, tunnels', () => {
  it('passes bytes both ways, those that came with the request included', async () => {
    await start((incoming, response) => response.end(incoming.url));
    const first = `GET /first HTTP/1.1\r\nHost: x\r\n\r\n`;
    const socket = await raw(`CONNECT ${siteHost()} HTTP/1.1\r\nHost: ${siteHost()}\r\n\r\n${first}`);
    socket.write('GET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const got = await text(socket);
    expect(got).toMatch(
      /^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK[^]*\/first[^]*\/second/,
    );
    await emptied();
  });

  it.each(['browser', 'site'])('end at both sides when the %s breaks off', async (side) => {
    await start(() => undefined);
    const connected = once(site, 'connection') as Promise<[Socket]>;
    const browserSide = await tunnel();
    const [siteSide] = await connected;
    const other = side === 'browser' ? siteSide : browserSide;
    const ended = new Promise((resolve) => other.once('close', resolve));
    other.resume().on('error', () => undefined);
    (side === 'browser' ? browserSide : siteSide).resetAndDestroy();
    await ended;
    await emptied();
  });

  it('end with the proxy', async () => {
    await start(() => undefined);
    const socket = await tunnel();
    proxy.close();
    await new Promise((resolve) => socket.once('close', resolve));
    await emptied();
  });

  it('are answered with 502 if the site cannot be reached', async () => {
    await start(() => undefined);
    const host = siteHost();
    site.close();
    const socket = await raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 502 /);
    expect(refusals).toEqual([]);
  });

  it.each(['a tunnel', 'an upgrade'])('carry WebSockets by %s', async (way) => {
    await start(() => undefined);
    const sockets = new WebSocketServer({ server: site });
    sockets.on('connection', (socket, { url }) =>
      socket.on('message', (data: Buffer) => socket.send(`${url} ${data.toString()}`)),
    );
    const createConnection = way === 'a tunnel' ? await tunnel() : undefined;
    const address = `ws://${siteHost()}/socket`;
    const socket = createConnection
      ? new WebSocket(address, { createConnection: () => createConnection })
      : new WebSocket(`ws://127.0.0.1:${proxyPort()}`, {
          finishRequest: (sent) => {
            sent.path = address;
            sent.end();
          },
        });
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('/socket hello');
    socket.close();
    await once(socket, 'close');
    await emptied();
  });
});

describe('BoundaryProxy, the latest failure', () => {
  const connectOverTunnel = async (host: string): Promise<string> =>
    text(await raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  const codes: Readonly<Record<string, unknown>> = { code: 'ECONNREFUSED', syscall: 'connect' };

  it.each(['a plain request', 'a tunnel'])('is told of %s until a connection stands', async (way) => {
    await start((_incoming, response) => response.end('text'));
    const [host, port] = [siteHost(), sitePort()];
    expect(proxy.failure).toBeUndefined();
    site.close();
    if (way === 'a tunnel') {
      await connectOverTunnel(host);
    } else {
      await expect(once(send(`http://${host}/`), 'response')).rejects.toThrow('socket hang up');
    }
    expect(proxy.failure).toMatchObject(codes);
    site.listen(port, '127.0.0.1');
    await once(site, 'listening');
    if (way === 'a tunnel') {
      (await tunnel()).destroy();
    } else {
      expect(await answerTo('/')).toEqual([200, 'text']);
    }
    expect(proxy.failure).toBeUndefined();
  });

  it('is the refusal of what may not be reached', async () => {
    await start(() => undefined);
    expect(await connectOverTunnel('other.example:443')).toMatch(/^HTTP\/1\.1 403 /);
    expect(proxy.failure).toEqual(new RefusedError('https://other.example:443: not in allowedOrigins'));
  });

  it('is none that the browser has caused by leaving', async () => {
    await start(() => undefined);
    const asked = once(site, 'request');
    const sent = send('/').on('error', () => undefined);
    await asked;
    sent.destroy();
    await emptied();
    expect(proxy.failure).toBeUndefined();
  });
});

describe('BoundaryProxy, refusals', () => {
  const cause = 'not in allowedOrigins';

  it('reaches no other origin, by whatever request', async () => {
    await start((_incoming, response) => response.end());
    let seen = 0;
    const other = createServer(() => seen++).on('connection', () => seen++);
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    await expect(once(send(`http://${host}/a`), 'response')).rejects.toThrow('socket hang up');
    const connecting = await raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${siteHost()}\r\n\r\n`);
    expect(await text(connecting)).toMatch(/^HTTP\/1\.1 403 /);
    const upgrading = await raw(
      `GET ws://${host}/b HTTP/1.1\r\nHost: ${siteHost()}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(await text(upgrading)).toMatch(/^HTTP\/1\.1 403 /);
    expect(refusals).toEqual([
      { method: 'GET', url: `http://${host}/a`, cause },
      { method: 'CONNECT', url: `https://${host}`, cause },
      { method: 'GET', url: `ws://${host}/b`, cause },
    ]);
    expect(seen).toBe(0);
    other.close();
  });

  it('reaches no internal address by a name, however the request is made', async () => {
    let seen = 0;
    await start(() => seen++, ['rebound.example']);
    const host = `rebound.example:${sitePort()}`;
    await expect(once(send(`http://${host}/`), 'response')).rejects.toThrow('socket hang up');
    expect(await text(await raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`))).toMatch(
      /^HTTP\/1\.1 502 /,
    );
    const leads = 'rebound.example leads to an internal address (127.0.0.1)';
    expect(refusals.map((refusal) => refusal.cause)).toEqual([leads, leads]);
    expect(seen).toBe(0);
  });

  it.each(['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'answers what is for no proxy with 400: %j',
    async (bytes) => {
      await start(() => undefined);
      expect(await text(await raw(bytes))).toMatch(/^HTTP\/1\.1 400 /);
      await emptied();
    },
  );

  it('drops what is no HTTP', async () => {
    await start(() => undefined);
    const socket = await raw('\x16\x03\x01 no http\r\n\r\n');
    expect(await text(socket)).toBe('');
    await emptied();
  });

  it('takes no more than 256 connections', async () => {
    await start(() => undefined);
    const sockets = await Promise.all(Array.from({ length: 256 }, () => raw('')));
    const last = await raw('');
    await new Promise((resolve) => last.once('close', resolve));
    expect(proxy.size).toBe(256);
    sockets.forEach((socket) => socket.destroy());
    await emptied();
  });
});
