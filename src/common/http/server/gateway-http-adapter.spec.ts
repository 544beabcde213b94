import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { GatewayHttpAdapter } from './gateway-http-adapter.js';

it('makes requests and responses with the prototypes that Express gives them', async () => {
  const adapter = new GatewayHttpAdapter();
  adapter.initHttpServer({});
  const server = adapter.getHttpServer();
  const prototypes = (...objects: object[]): unknown[] =>
    objects.map((each): unknown => Object.getPrototypeOf(each));
  let before: unknown[] = [];
  let after: unknown[] = [];
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    before = prototypes(request, response);
  });
  adapter.use((request: IncomingMessage, response: ServerResponse) => {
    after = prototypes(request, response);
    response.end('met');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await answer.text()).toBe('met');
    expect(after).toHaveLength(2);
    expect(after.map((prototype, index) => prototype === before[index])).toEqual([true, true]);
  } finally {
    await adapter.close();
  }
});

it('keeps idle connections for longer than balancers do, and says so', async () => {
  const adapter = new GatewayHttpAdapter();
  adapter.initHttpServer({});
  adapter.use((_request: IncomingMessage, response: ServerResponse) => response.end());
  const server = adapter.getHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  } finally {
    await adapter.close();
  }
});
