import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Pool } from 'undici';
import { CompanyProxy } from '../../../../test/support/upstream/company-proxy.js';
import { openPool } from './outbound-pool.js';
import { proxyFor } from './outbound-proxy.js';

const ORIGIN = 'http://api.example:8080';

let server: Server;
let asked: string[];
let proxy: CompanyProxy;
let pool: Pool;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    const { host, own, 'proxy-authorization': password = 'unseen' } = request.headers;
    asked.push([request.method, request.url, host, own, password].join(' '));
    response.end(String(request.socket.remotePort));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await CompanyProxy.start({ 'api.example': (server.address() as AddressInfo).port });
  pool = through(`http://me:secret@127.0.0.1:${proxy.port}`);
});
afterEach(async () => {
  await pool.destroy();
  proxy.close();
  server.closeAllConnections();
  server.close();
});

function through(url: string): Pool {
  const settings = { HTTP_PROXY: url, NO_PROXY: '' };
  return openPool(ORIGIN, proxyFor(new URL(ORIGIN), settings), 5000, { connections: 1 });
}

const get = () => pool.request({ method: 'GET', path: '/v1/models?a=b', headers: { own: 'x' } });

describe('a pool through a proxy, for plain HTTP', () => {
  it('asks the proxy for whole URLs, on one connection, with its password', async () => {
    await (await get()).body.dump();
    await (await get()).body.dump();
    expect(asked).toEqual(Array.from(asked, () => 'GET /v1/models?a=b api.example:8080 x unseen'));
    expect(proxy.asked).toEqual(Array.from(asked, () => `GET ${ORIGIN}/v1/models?a=b`));
    expect(proxy.credentials).toEqual(Array.from(asked, () => `Basic ${btoa('me:secret')}`));
    expect([asked.length, proxy.clients]).toEqual([2, 1]);
  });

  it('tells a proxy that wants a password from a server', async () => {
    proxy.refuseWith = 407;
    await expect(get()).rejects.toThrow(
      `The proxy ${proxy.url} (HTTP_PROXY) needs a name and a password, or rejects those in HTTP_PROXY`,
    );
    // What may be the server's own answer is passed on.
    proxy.refuseWith = 503;
    expect((await get()).statusCode).toBe(503);
  });

  it('names a proxy that cannot be reached', async () => {
    const { url } = proxy;
    proxy.close();
    await expect(get()).rejects.toMatchObject({
      name: 'ProxyError',
      message: `The proxy ${url} (HTTP_PROXY) cannot be reached.`,
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
