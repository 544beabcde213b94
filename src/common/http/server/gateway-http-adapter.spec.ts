import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { GatewayHttpAdapter, MAX_PIPELINED } from './gateway-http-adapter.js';

/** Has an adapter listen, and asks it once. */
async function answerOf(adapter: GatewayHttpAdapter): Promise<globalThis.Response> {
  const server = adapter.getHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

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
  try {
    const answer = await answerOf(adapter);
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
  try {
    const { headers } = await answerOf(adapter);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  } finally {
    await adapter.close();
  }
});

it('survives an answer that is written to after its end', async () => {
  const tell = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  const adapter = new GatewayHttpAdapter();
  adapter.initHttpServer({});
  adapter.use((_request: IncomingMessage, response: ServerResponse) => {
    response.end('met');
    response.write('too late');
  });
  try {
    expect(await (await answerOf(adapter)).text()).toBe('met');
    expect(tell.mock.calls).toEqual([
      [
        expect.objectContaining({ code: 'ERR_STREAM_WRITE_AFTER_END' }),
        'an answer was written to after its end',
      ],
    ]);
  } finally {
    await adapter.close();
    tell.mockRestore();
  }
});

it('answers so many requests that do not wait for one another, refuses the next, and ends the connection', async () => {
  const adapter = new GatewayHttpAdapter();
  adapter.initHttpServer({});
  const taken: ServerResponse[] = [];
  adapter.use((_request: IncomingMessage, response: ServerResponse) => void taken.push(response));
  const server = adapter.getHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent = 5 * MAX_PIPELINED;
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  let count = 0;
  server.on('request', () => ++count === sent && resolve());
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(sent));
    const answered = text(socket);
    await arrived;
    expect(taken).toHaveLength(MAX_PIPELINED);
    expect(taken[0]?.socket?.isPaused()).toBe(true);
    taken.forEach((response) => response.end('met'));
    const statuses = (await answered).match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual([...taken.map(() => '200'), '429']);
  } finally {
    await adapter.close();
  }
});
