import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CompanyProxy } from '../../test/support/upstream/company-proxy.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { Settings } from '../common/config/settings.js';
import { type OutboundProxy, proxyFor } from '../common/network/proxy/outbound-proxy.js';
import { type RequestSpan } from './request-spans.js';
import { TraceExport } from './trace-export.js';

const TRACE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', flags: '01' };
/** That many spans are sent at once. */
const BATCH = 512;

let collector: Server;
let status: number;
let delivered: number;
let results: string[];
let warnings: string[];

beforeEach(async () => {
  [status, delivered, results, warnings] = [200, 0, [], []];
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: object[] }[] }[] };
      delivered += resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)).length;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterEach(() => {
  collector.closeAllConnections();
  collector.close();
});

const port = (): number => (collector.address() as AddressInfo).port;

function traces(endpoint = `http://127.0.0.1:${port()}`, proxy?: OutboundProxy): TraceExport {
  return new TraceExport({
    endpoint,
    proxy,
    headers: {},
    serviceName: 'a',
    version: '1',
    onResult: (error) => results.push(error?.message ?? 'delivered'),
    onWarning: (text) => warnings.push(text),
  });
}

function span(...children: RequestSpan[]): RequestSpan {
  return { name: 'chat', kind: 'server', startMs: 1, endMs: 2, attributes: {}, events: [], children };
}

it('tells of each batch whether it was delivered', async () => {
  const exported = traces();
  const send = (count: number): void => {
    Array.from({ length: count }, () => exported.send(span(), TRACE));
  };
  status = 401;
  send(BATCH);
  await eventually(PATIENCE_MS, () => expect(results).toEqual(['The collector answered with status 401.']));
  status = 200;
  send(BATCH);
  await eventually(PATIENCE_MS, () => expect(results[1]).toBe('delivered'));
  status = 404;
  send(1);
  await exported.close();
  expect(results[2]).toBe('The collector answered with status 404.');
});

it('holds the spans of 2,000 requests that end at once, and tells of more', async () => {
  const exported = traces();
  const parts = [span(), span(), span()];
  // Whole batches, which are sent without a wait.
  Array.from({ length: 4 * BATCH }, () => exported.send(span(...parts), TRACE));
  await eventually(PATIENCE_MS, () => expect(delivered).toBe(16 * BATCH));
  expect(warnings).toEqual([]);
  Array.from({ length: 9000 }, () => exported.send(span(), TRACE));
  await eventually(PATIENCE_MS, () => expect(delivered).toBeGreaterThan(16_000));
  exported.send(span(), TRACE);
  await exported.close();
  expect(warnings).toEqual([expect.stringMatching(/^Dropped \d+ spans/)]);
});

/** Earlier agents pass over the proxy. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const knowsProxies = major > 24 || minor >= 5;

(knowsProxies ? it : it.skip)('goes through a proxy', async () => {
  const companyProxy = await CompanyProxy.start({ 'collector.example': port() });
  const url = 'http://collector.example';
  const HTTP_PROXY = `http://me:secret@127.0.0.1:${companyProxy.port}`;
  try {
    const exported = traces(url, proxyFor(new URL(url), Object.assign(new Settings(), { HTTP_PROXY })));
    exported.send(span(), TRACE);
    await exported.close();
    expect([results, delivered]).toEqual([['delivered'], 1]);
    expect(companyProxy.asked).toEqual([`POST ${url}/v1/traces`]);
    expect(companyProxy.credentials).toEqual([`Basic ${btoa('me:secret')}`]);
  } finally {
    companyProxy.close();
  }
});

(knowsProxies ? it : it.skip)('tells of a refused tunnel without the password of the proxy', async () => {
  const companyProxy = await CompanyProxy.start({});
  companyProxy.refuseWith = 407;
  const url = 'https://collector.example';
  const HTTPS_PROXY = `http://me:secret@127.0.0.1:${companyProxy.port}`;
  try {
    const exported = traces(url, proxyFor(new URL(url), Object.assign(new Settings(), { HTTPS_PROXY })));
    exported.send(span(), TRACE);
    await exported.close();
    expect(results).toEqual([
      `The proxy ${companyProxy.url} (HTTPS_PROXY) opens no tunnel to the collector: it answered with status 407.`,
    ]);
  } finally {
    companyProxy.close();
  }
});
