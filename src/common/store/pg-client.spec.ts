import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { pgOptions, pgPool } from './pg-client.js';

it('fails by statement where the file of the authority is gone once a connection is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pg-client-'));
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, '');
  const server = createServer((socket) => {
    rmSync(authority);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `postgres://me@127.0.0.1:${port}/any?sslmode=verify-full&sslrootcert=${authority}`;
  const pool = pgPool(pgOptions(url, 'test', 5000), 1);
  // The second one waits for the connection of the first.
  const results = await Promise.allSettled([pool.query('SELECT 1'), pool.query('SELECT 2')]);
  const messages = results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'none'));
  expect(messages).toEqual([expect.any(String), expect.stringContaining('ENOENT')]);
  await pool.end();
  server.close();
  await rm(folder, { recursive: true });
});
