import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CompanyProxy } from '../../../../test/support/upstream/company-proxy.js';
import { eventually, PATIENCE_MS } from '../../../../test/support/watch/eventually.js';
import { type OutboundProxy, proxyFor } from './outbound-proxy.js';
import { openTunnel, ProxyError } from './tunnel.js';

const LIMIT_MS = 5000;
const CERTIFICATE = join('test', 'support', 'upstream', 'api-example.pem');

let server: Server;
let proxy: CompanyProxy;
let tunnels: Socket[];

beforeEach(async () => {
  tunnels = [];
  // It speaks first, as few servers do.
  server = createServer((socket) => socket.pipe(socket).write('hello ')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await CompanyProxy.start({ 'api.example': (server.address() as AddressInfo).port });
});
afterEach(() => {
  tunnels.forEach((tunnel) => tunnel.destroy());
  proxy.close();
  server.close();
});

function through(url: string): OutboundProxy {
  const found = proxyFor(new URL('https://api.example'), { HTTPS_PROXY: url, NO_PROXY: '' });
  if (!found) {
    throw new Error('no proxy');
  }
  return found;
}

async function open(url = proxy.url, limitMs = LIMIT_MS): Promise<Socket> {
  const tunnel = await openTunnel(through(url), { host: 'api.example', port: 443 }, limitMs);
  tunnels.push(tunnel);
  return tunnel;
}

describe('openTunnel', () => {
  it('gives a connection to the server, with what it has said already', async () => {
    const tunnel = await open(`http://me:secret@127.0.0.1:${proxy.port}`);
    tunnel.setEncoding('utf8').write('there');
    let heard = '';
    for await (const piece of tunnel) {
      heard += piece as string;
      if (heard === 'hello there') {
        break;
      }
    }
    expect(proxy.asked).toEqual(['CONNECT api.example:443']);
    expect(proxy.credentials).toEqual([`Basic ${btoa('me:secret')}`]);
  });

  it.each([
    [407, 'needs a name and a password, or rejects those in HTTPS_PROXY (status 407).'],
    [403, 'refused the connection to api.example:443 with status 403.'],
    [502, 'refused the connection to api.example:443 with status 502.'],
  ])('names a proxy that answers with status %i, without its password', async (status, what) => {
    proxy.refuseWith = status;
    const refused = open(`http://me:secret@127.0.0.1:${proxy.port}`);
    await expect(refused).rejects.toEqual(new ProxyError(through(proxy.url), what));
    await expect(refused).rejects.toThrow(`The proxy ${proxy.url} (HTTPS_PROXY) ${what}`);
  });

  it('names a proxy that cannot be reached, with the cause', async () => {
    const { url } = proxy;
    proxy.close();
    await expect(open(url)).rejects.toMatchObject({
      message: `The proxy ${url} (HTTPS_PROXY) did not connect to api.example:443.`,
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it.each([
    ['localhost', ['localhost']],
    // An address is no name of a server.
    ['127.0.0.1', []],
  ])('asks a proxy with TLS at %s for its own certificate', async (host, expected) => {
    const pem = readFileSync(CERTIFICATE);
    const names: string[] = [];
    const secure = createTlsServer({
      ...{ key: pem, cert: pem },
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    }).listen(0, host);
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    await expect(open(`https://${host}:${port}`)).rejects.toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(names).toEqual(expected);
    secure.close();
  });

  it('does not wait longer than it may, and leaves no connection', async () => {
    proxy.refuseWith = 0;
    await expect(open(proxy.url, 50)).rejects.toMatchObject({
      cause: { message: 'No answer within 50 ms.' },
    });
    await eventually(PATIENCE_MS, () => expect(proxy.size).toBe(0));
  });
});
