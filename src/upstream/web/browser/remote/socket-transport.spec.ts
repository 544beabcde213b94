import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { PATIENCE_MS } from '../../../../../test/support/watch/eventually.js';
import { SocketTransport } from './socket-transport.js';

describe('SocketTransport', () => {
  it('closes when a message cannot be handled, and tells why', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    server.on('connection', (socket) => socket.on('message', () => socket.send('{"id":1}')));
    const { port } = server.address() as AddressInfo;
    const address = { url: `ws://127.0.0.1:${port}`, release: async () => undefined };
    const transport = await SocketTransport.open(address, AbortSignal.timeout(PATIENCE_MS));
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    const error = new Error('no handler takes it');
    transport.onmessage = () => Promise.reject(error);
    transport.send('{"id":1}');
    await closed;
    expect(transport.failure).toBe(error);
    server.close();
  });
});
