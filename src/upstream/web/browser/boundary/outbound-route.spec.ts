import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CompanyProxy } from '../../../../../test/support/upstream/company-proxy.js';
import { type ProxySettings } from '../../../../common/network/proxy/outbound-proxy.js';
import { ProxyError } from '../../../../common/network/proxy/tunnel.js';
import { BoundaryProxy } from './boundary-proxy.js';
import { EgressPolicy, type PageRules } from './egress-policy.js';

const ORIGINS = ['https://chat.example', 'http://plain.example', 'http://near.example'];

let site: Server;
let company: CompanyProxy;
let boundary: BoundaryProxy;

beforeEach(async () => {
  site = createServer((incoming, response) => response.end(`${incoming.headers.host}${incoming.url}`));
  site.on('upgrade', (_incoming, socket: Socket) => socket.end('HTTP/1.1 101 Switched\r\n\r\n'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  company = await CompanyProxy.start({ 'chat.example': port, 'plain.example': port });
});
afterEach(() => {
  boundary.close();
  company.close();
  site.closeAllConnections();
  site.close();
});

async function start(settings: Partial<ProxySettings> = {}, rules: Partial<PageRules> = {}): Promise<void> {
  const proxy = `http://me:secret@127.0.0.1:${company.port}`;
  const proxies = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: '', ...settings };
  // Behind a company's proxy, names of the internet are unknown.
  const policy = new EgressPolicy({ allowedOrigins: ORIGINS, ...rules }, proxies, () =>
    Promise.reject(new Error('ENOTFOUND')),
  );
  boundary = await BoundaryProxy.listen(policy, () => undefined);
}

const boundaryPort = (): number => Number(new URL(boundary.url).port);

/** Asks the boundary for a URL, as a browser does. */
async function fetchPlain(url: string): Promise<string> {
  const sent = request({
    port: boundaryPort(),
    path: url,
    headers: { host: new URL(url).host },
    agent: false,
  });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  return text(answer);
}

/** What comes over a connection to which these bytes are sent. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(boundaryPort(), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const connectTo = (host: string, rest = ''): Promise<string> =>
  exchange(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n${rest}`);
const GET = 'GET /a HTTP/1.1\r\nHost: chat.example\r\nConnection: close\r\n\r\n';

describe('BoundaryProxy behind an outbound proxy', () => {
  it('has it open tunnels, with name and password', async () => {
    await start();
    expect(await connectTo('chat.example:443', GET)).toMatch(/^HTTP\/1\.1 200 Con[^]*chat\.example\/a$/);
    expect(company.asked).toEqual(['CONNECT chat.example:443']);
    expect(company.credentials).toEqual([`Basic ${btoa('me:secret')}`]);
    expect(boundary.failure).toBeUndefined();
  });

  it('asks it for whole URLs of plain HTTP, and for tunnels to sockets', async () => {
    await start({ HTTPS_PROXY: undefined });
    expect(await fetchPlain('http://plain.example/b?c')).toBe('plain.example/b?c');
    expect(await connectTo('plain.example:80', GET)).toContain('200 OK');
    const upgrade = 'Host: plain.example\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await exchange(`GET ws://plain.example/d HTTP/1.1\r\n${upgrade}`)).toMatch(/^HTTP\/1\.1 101 /);
    expect(company.asked).toEqual([
      'GET http://plain.example/b?c',
      ...['CONNECT plain.example:80', 'CONNECT plain.example:80'],
    ]);
  });

  it('takes nothing to it that may not be reached, or is reached directly', async () => {
    await start({ NO_PROXY: 'near.example' });
    expect(await connectTo('other.example:443')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await connectTo('near.example:80')).toMatch(/^HTTP\/1\.1 502 /);
    expect(boundary.failure?.message).toBe('ENOTFOUND');
    expect(company.clients).toBe(0);
  });

  it('reaches everything through it if the rules are open', async () => {
    await start({}, { allowedOrigins: [], isOpen: true });
    expect(await connectTo('chat.example:443', GET)).toContain('200 OK');
    expect(await fetchPlain('http://plain.example/')).toBe('plain.example/');
    expect(company.clients).toBe(2);
  });

  it('refuses hosts that are none, even if the rules are open', async () => {
    await start({}, { allowedOrigins: [], isOpen: true });
    const bad = (target: string): Promise<string> =>
      exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await bad('http://256.256.256.256/')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await connectTo('256.256.256.256:443')).toMatch(/^HTTP\/1\.1 400 /);
    expect(company.clients).toBe(0);
  });

  it.each([
    ['a tunnel', () => connectTo('chat.example:443').then(() => 'refused')],
    ['a plain request', () => fetchPlain('http://plain.example/').catch(() => 'refused')],
  ])('keeps to itself what the proxy answers to %s without a password', async (_what, ask) => {
    await start();
    company.refuseWith = 407;
    expect(await ask()).toBe('refused');
    expect(boundary.failure).toBeInstanceOf(ProxyError);
    expect(boundary.failure?.message).toMatch(/needs a name and a password.*\(status 407\)/);
  });

  it.each([
    ['a tunnel', () => connectTo('chat.example:443').then(() => 'refused')],
    ['a plain request', () => fetchPlain('http://plain.example/').catch(() => 'refused')],
  ])('names a proxy that is gone, for %s', async (_what, ask) => {
    await start();
    company.close();
    expect(await ask()).toBe('refused');
    expect(boundary.failure).toBeInstanceOf(ProxyError);
    expect(boundary.failure).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('gives up a tunnel that is not made yet as the browser ends', async () => {
    await start();
    company.refuseWith = 0;
    const socket = connect(boundaryPort(), '127.0.0.1');
    socket.write('CONNECT chat.example:443 HTTP/1.1\r\nHost: chat.example:443\r\n\r\n');
    while (company.asked.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    boundary.close();
    await once(socket, 'close');
    while (company.size > 0 || boundary.size > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(boundary.failure).toBeUndefined();
  });
});
