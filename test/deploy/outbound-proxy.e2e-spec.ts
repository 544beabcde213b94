import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { CompanyProxy } from '../support/upstream/company-proxy.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import * as plans from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const CERTIFICATE = join(import.meta.dirname, '..', 'support', 'upstream', 'api-example.pem');

let data: string;
let stub: OpenAiStub;
/** Adds TLS to the stub, as `api.example`. */
let tls: Server;
let proxy: CompanyProxy;
let gateway: ChildGateway | undefined;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'gateway-proxy-'));
  stub = await OpenAiStub.start();
  const { port } = new URL(stub.baseUrl);
  const pem = readFileSync(CERTIFICATE, 'utf8');
  tls = createServer({ key: pem, cert: pem }, (socket) => {
    const upstream = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined).once('close', () => upstream.destroy());
    upstream.on('error', () => undefined).once('close', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(tls, 'listening');
  proxy = await CompanyProxy.start({ 'api.example': (tls.address() as AddressInfo).port });
});
afterEach(async () => {
  await gateway?.kill();
  proxy.close();
  tls.close();
  await stub.close();
  rmSync(data, { recursive: true, force: true });
});

async function start(): Promise<ChildGateway> {
  gateway = await ChildGateway.start({
    DATA_DIR: data,
    PROVIDER: 'openai',
    UPSTREAM_BASE_URL: 'https://api.example/v1',
    UPSTREAM_MODEL: 'm',
    https_proxy: `http://me:secret@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    RETRY_MAX_ATTEMPTS: '1',
  });
  return gateway;
}

function ask(signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${gateway?.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    signal,
  });
}

async function read(path: string): Promise<string> {
  return (await fetch(new URL(path, gateway?.baseUrl))).text();
}

describe('behind an HTTP proxy', () => {
  it('an upstream with TLS is reached through tunnels, which are kept', async () => {
    stub.answerWith(plans.answer({ pieces: ['Hel', 'lo'] }));
    const child = await start();
    // The end of an answer may come after it is passed on: then the next one needs a further tunnel.
    await eventually(PATIENCE_MS, async () => {
      const tunnels = proxy.asked.length;
      await child.ask();
      expect(proxy.asked).toHaveLength(tunnels);
    });
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT api.example:443']));
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${btoa('me:secret')}`]));
    for (const { headers } of stub.requests) {
      expect([headers.host, headers['proxy-authorization']]).toEqual(['api.example', undefined]);
    }
  });

  it('a caller that leaves ends the connection of the upstream', async () => {
    stub.answerWith(plans.endless(5));
    await start();
    const caller = new AbortController();
    const response = await ask(caller.signal);
    await response.body?.getReader().read();
    caller.abort();
    await stub.waitFor(({ abortedAt }) => abortedAt !== undefined);
  });

  it.each([
    ['refuses', 407, 'needs a name and a password, or rejects those in HTTPS_PROXY (status 407).'],
    ['reaches nobody', 502, 'refused the connection to api.example:443 with status 502.'],
  ])('one that %s is to blame, by name and without its password', async (_what, status, text) => {
    proxy.refuseWith = status;
    await start();
    const response = await ask();
    expect([response.status, response.headers.get('x-gateway-reason')]).toEqual([
      500,
      'upstream_unreachable',
    ]);
    expect(await response.text()).not.toContain('roxy');
    const blame = `The proxy ${proxy.url} (HTTPS_PROXY) ${text}`;
    await eventually(PATIENCE_MS, async () => {
      const log = await read('/log/json');
      expect(log).toContain('proxy_failed');
      expect(log).toContain(blame);
    });
    expect(await read('/dashboard/api/status')).toContain(`cannot be reached. ${blame}`);
    expect(await read('/log/json')).not.toMatch(/secret|Basic/);
  });

  it('one that is not there is found out at once', async () => {
    const { url } = proxy;
    await start();
    proxy.close();
    expect((await ask()).headers.get('x-gateway-reason')).toBe('upstream_unreachable');
    await eventually(PATIENCE_MS, async () =>
      expect(await read('/log/json')).toContain(
        `The proxy ${url} (HTTPS_PROXY) did not connect to api.example:443. connect ECONNREFUSED`,
      ),
    );
  });
});
