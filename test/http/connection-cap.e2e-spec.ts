import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EdgeApp, startEdgeApp } from '../support/gateway/edge-app.js';
import { KeyedGateway } from '../support/gateway/keyed-gateway.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const CAP = 3;

describe('MAX_CONNECTIONS', () => {
  let edge: EdgeApp;
  let sockets: Socket[];

  beforeEach(async () => {
    edge = await startEdgeApp({ MAX_CONNECTIONS: CAP });
    sockets = [];
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    await edge.app.close();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(edge.port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };

  /** The status line of an answer, or '' from a connection that was closed without one. */
  async function ask(): Promise<string> {
    const socket = await open();
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    socket.write('GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    return text.split('\r\n', 1)[0] ?? '';
  }

  it('closes connections beyond it, and serves again once there is room', async () => {
    const silent = await Promise.all(Array.from({ length: CAP }, open));
    await eventually(PATIENCE_MS, async () => expect(await ask()).toBe(''));
    silent[0]?.destroy();
    await eventually(PATIENCE_MS, async () => expect(await ask()).toBe('HTTP/1.1 200 OK'));
  });

  it('closes idle connections beyond it', async () => {
    const idle = await Promise.all(Array.from({ length: CAP }, open));
    for (const socket of idle) {
      socket.write('GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
    }
    await eventually(PATIENCE_MS, async () => expect(await ask()).toBe('HTTP/1.1 200 OK'));
  });
});

describe('one of several keys', () => {
  it('has half of the connections at most, however long its answers take', async () => {
    const keyed = await KeyedGateway.start({ MAX_CONNECTIONS: 16 });
    const leaving = new AbortController();
    try {
      const [ann, bob] = [await keyed.make('ann'), await keyed.make('bob')];
      const follow = async (key: string): Promise<number> => {
        const headers = { authorization: `Bearer ${key}` };
        const url = `${keyed.gateway.origin}/log/stream`;
        return (await fetch(url, { headers, signal: leaving.signal })).status;
      };
      const statuses = await Promise.all(Array.from({ length: 8 }, () => follow(ann)));
      expect(statuses).toEqual(Array<number>(8).fill(200));
      expect([await follow(ann), await follow(bob)]).toEqual([429, 200]);
      leaving.abort();
      await eventually(PATIENCE_MS, async () =>
        expect((await keyed.ask('GET', '/v1/models', ann)).status).toBe(200),
      );
    } finally {
      leaving.abort();
      await keyed.close();
    }
  });
});
