import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findChromium } from './chromium-address.js';

const never = new AbortController().signal;

describe('findChromium', () => {
  let server: Server;
  let asked: string[];
  let status: number;
  let answer: unknown;

  beforeEach(async () => {
    asked = [];
    status = 200;
    server = createServer((request, response) => {
      const { host, authorization = '-' } = request.headers;
      asked.push(`${request.method} ${request.url} ${host} ${authorization}`);
      response.writeHead(status).end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
  });

  const port = (): number => (server.address() as AddressInfo).port;
  const find = (name = 'localhost'): Promise<unknown> =>
    findChromium(new URL(`http://${name}:${port()}`), never);

  it('asks as an IP address, and takes the path of the socket only', async () => {
    answer = { webSocketDebuggerUrl: 'ws://elsewhere.test/devtools/browser/abc?x=1' };
    expect(await find()).toMatchObject({
      url: `ws://127.0.0.1:${port()}/devtools/browser/abc?x=1`,
      headers: {},
    });
    expect(asked).toEqual([`GET /json/version 127.0.0.1:${port()} -`]);
  });

  it('passes a name and a password on', async () => {
    answer = { webSocketDebuggerUrl: 'ws://x/devtools' };
    const header = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect(await find('me:p%40ss@localhost')).toMatchObject({ headers: { authorization: header } });
    expect(asked).toEqual([`GET /json/version 127.0.0.1:${port()} ${header}`]);
  });

  it.each([[null], [{}], [{ webSocketDebuggerUrl: 7 }], [{ webSocketDebuggerUrl: 'http://x/devtools' }]])(
    'refuses %j',
    async (given) => {
      answer = given;
      await expect(find()).rejects.toThrow('It does not name the WebSocket of its DevTools.');
    },
  );

  it('names the status of a refusal', async () => {
    status = 503;
    await expect(find()).rejects.toThrow('It answered with status 503.');
  });

  it('gives up with its signal', async () => {
    await expect(
      findChromium(new URL(`http://localhost:${port()}`), AbortSignal.abort(new Error('late'))),
    ).rejects.toThrow('late');
  });
});
