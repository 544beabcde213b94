import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const PROJECT = join(import.meta.dirname, '..', '..');

it('a start on a taken port ends with one line that says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'taken-port-'));
  const other = createServer().listen(0, '127.0.0.1');
  try {
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const program = [
      '--import',
      join(PROJECT, 'test', 'support', 'gateway', 'run-typescript.mjs'),
      join(PROJECT, 'src', 'main.ts'),
    ];
    const env = { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'info' };
    const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
    execFile(process.execPath, program, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve([error?.code, stdout, stderr]),
    );
    const line = `Port ${port} is taken: something else listens at 127.0.0.1. Stop it, or set PORT to another.\n`;
    expect(await promise).toEqual([1, '', line]);
  } finally {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
