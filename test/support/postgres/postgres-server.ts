import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { browserUser } from '../../../src/upstream/web/browser/unprivileged-user.js';
import { findPostgres } from './postgres-programs.js';

const KEEPER = join(import.meta.dirname, 'postgres-keeper.mjs');

/** A database of its own for one test. */
export interface TestDatabase {
  /** What `DATABASE_URL` is to be. */
  readonly url: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database on a real PostgreSQL: the server of `TEST_DATABASE_URL`, else one that this Jest worker starts
 * on a free loopback port at the first call, and that ends with the worker.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL ?? (await workerServer());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The files of one worker share its server, so the place where its address stands is named after the process. */
async function workerServer(): Promise<string> {
  const folder = join(tmpdir(), `gateway-postgres-${process.pid}`);
  const note = join(folder, 'url');
  return existsSync(note) ? readFileSync(note, 'utf8') : startServer(note);
}

async function startServer(note: string): Promise<string> {
  const user = browserUser(false);
  const folder = dirname(note);
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
  const keeper = spawn(process.execPath, [KEEPER, programs, folder], {
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
  // The worker must be able to end; the keeper sees it by the end of its input.
  keeper.removeAllListeners('exit');
  keeper.stdout.destroy();
  keeper.stderr.destroy();
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  const url = `postgres://gateway@127.0.0.1:${port}/postgres`;
  writeFileSync(note, url);
  return url;
}
