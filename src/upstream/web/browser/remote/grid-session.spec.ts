import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { PATIENCE_MS } from '../../../../../test/support/watch/eventually.js';
import { GridSession } from './grid-session.js';

it('GridSession asks with the query of the grid, which may hold a token', async () => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    const capabilities = { 'se:cdp': 'ws://inside/session/s1/se/cdp' };
    response.end(JSON.stringify({ value: { sessionId: 's1', capabilities } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const grid = new URL(`http://127.0.0.1:${port}/wd/?token=secret`);
  const session = await GridSession.start(grid, [], AbortSignal.timeout(PATIENCE_MS));
  await session.release();
  server.close();
  expect(asked).toEqual(['POST /wd/session?token=secret', 'DELETE /wd/session/s1?token=secret']);
  expect(session.url).toBe(`ws://127.0.0.1:${port}/session/s1/se/cdp`);
});
