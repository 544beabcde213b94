import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { capConnections } from './connection-cap.js';

let server: Server;
let told: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  server = createServer();
  told = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
});
afterEach(async () => {
  told.mockRestore();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
});

it('leaves a quarter of the descriptors to others', () => {
  capConnections(server, 16_384, 1024);
  expect(server.maxConnections).toBe(768);
  capConnections(server, 16_384, 1_048_576);
  expect(server.maxConnections).toBe(16_384);
  capConnections(server, 100);
  expect(server.maxConnections).toBe(100);
});

it('says once that connections are closed, and why', async () => {
  capConnections(server, 100, 2);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const first = connect(port, '127.0.0.1');
  await once(server, 'connection');
  for (let more = 0; more < 3; more++) {
    const closed = connect(port, '127.0.0.1').resume();
    await once(closed, 'close');
  }
  first.destroy();
  expect(told.mock.calls).toEqual([
    [
      { event: 'connections_dropped', dropped: 1, most: 1 },
      'connections of callers are closed at once: the system allows no more open files',
    ],
  ]);
});
