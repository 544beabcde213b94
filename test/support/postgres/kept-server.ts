import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable, type Writable } from 'node:stream';
import { browserUser } from '../../../src/upstream/web/browser/unprivileged-user.js';
import { findPostgres } from './postgres-programs.js';

const KEEPER = join(import.meta.dirname, 'postgres-keeper.mjs');

/** A PostgreSQL server that ends with its keeper, and that with this process or the end of its standard input. */
export interface KeptServer {
  readonly keeper: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Of the database `postgres`, for its superuser. */
  readonly url: string;
}

/**
 * Starts a server on a free loopback port.
 * @param folder is made anew, and removed by the keeper
 * @param primary port of the server whose standby it is to be; by default it is none
 */
export async function keepServer(folder: string, primary?: string): Promise<KeptServer> {
  const user = browserUser(false);
  // Left by a process of the same number that was killed together with its keeper.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o711 });
  const { folder: programs, environment } = findPostgres(folder);
  if (user) {
    // PostgreSQL refuses to run as root.
    [folder, ...readdirSync(folder).map((name) => join(folder, name))].forEach((path) =>
      chownSync(path, user.uid, user.gid),
    );
  }
  const keeper = spawn(process.execPath, [KEEPER, programs, folder, ...(primary ? [primary] : [])], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: what ends the tests with their whole group must not end who cleans up after them.
    detached: true,
    env: { ...process.env, ...environment },
    ...user,
  });
  let complaint = '';
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const port = await new Promise<string>((resolve, reject) => {
    keeper.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    keeper.once('exit', () => reject(new Error(`PostgreSQL did not start: ${complaint}`)));
  });
  return { keeper, url: `postgres://gateway@127.0.0.1:${port}/postgres` };
}
