import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CompanyProxy } from '../../test/support/upstream/company-proxy.js';
import { Settings } from '../common/config/settings.js';
import { Webhook } from './webhook.js';

let receiver: Server;
let asked: { readonly url?: string | undefined; readonly authorization?: string | undefined }[];
let lost: string[];
/** Answered to the next requests; 204 by default. */
let statuses: number[];
let settings: Settings;
let webhook: Webhook;

beforeEach(async () => {
  asked = [];
  lost = [];
  statuses = [];
  settings = new Settings();
  webhook = new Webhook(settings, (error) => lost.push(inspect(error)), [0, 0]);
  receiver = createServer(({ url, headers }: IncomingMessage, response) => {
    asked.push({ url, authorization: headers.authorization });
    response.writeHead(statuses.shift() ?? 204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterEach(() => {
  webhook.close();
  receiver.closeAllConnections();
  receiver.close();
});

const address = (credentials: string): string =>
  `http://${credentials}127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?a=b`;

it.each([
  ['', undefined],
  ['me@', 'me:'],
  ['me:p%40ss@', 'me:p@ss'],
  // No encoding, but whoever reads URLs takes it as it stands.
  ['me:50%@', 'me:50%'],
])('sends the name and the password in its URL (%j) as a header', async (credentials, sent) => {
  await webhook.send(address(credentials), {});
  const authorization = sent && `Basic ${Buffer.from(sent).toString('base64')}`;
  expect(asked).toEqual([{ url: '/hook?a=b', authorization }]);
  expect(lost).toEqual([]);
});

it('tries again, and says why it gives up, but not to which URL', async () => {
  statuses.push(500, 500);
  expect(await webhook.send(address('me:secret@'), {})).toBe(true);
  statuses.push(500, 401, 403);
  expect(await webhook.send(address('me:secret@'), {})).toBe(false);
  // A port that fetch refuses.
  expect(await webhook.send('http://me:secret@127.0.0.1:25/secret', {})).toBe(false);
  expect(lost).toEqual([
    expect.stringContaining('The webhook answered with status 403.'),
    expect.stringContaining('bad port'),
  ]);
  expect(lost.join()).not.toContain('secret');
});

it('gives up in silence once it is closed', async () => {
  const sent = webhook.send(address(''), {});
  webhook.close();
  expect(await sent).toBe(false);
  expect(lost).toEqual([]);
});

it('goes through a proxy, which is named where it is to blame', async () => {
  const { port } = receiver.address() as AddressInfo;
  const proxy = await CompanyProxy.start({ 'hooks.example': port });
  settings.HTTP_PROXY = `http://me:secret@127.0.0.1:${proxy.port}`;
  try {
    expect(await webhook.send('http://you:own@hooks.example/hook?a=b', {})).toBe(true);
    expect(asked).toEqual([{ url: '/hook?a=b', authorization: `Basic ${btoa('you:own')}` }]);
    proxy.refuseWith = 407;
    expect(await webhook.send('http://hooks.example/private', {})).toBe(false);
    // An alert that takes too long on a busy machine is sent again, too.
    expect([...new Set(proxy.asked)]).toEqual([
      'POST http://hooks.example/hook?a=b',
      'POST http://hooks.example/private',
    ]);
    expect(lost).toEqual([expect.stringContaining(`The proxy ${proxy.url} (HTTP_PROXY) needs a name`)]);
    expect(lost.join()).not.toMatch(/secret|private/);
  } finally {
    proxy.close();
  }
});
