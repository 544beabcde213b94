import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { PgDatabase } from '../../../src/common/store/pg-database.js';
import { keepServer } from './kept-server.js';

/** A database of its own for one test. */
export interface TestDatabase {
  /** Value for `DATABASE_URL`. */
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

/**
 * Makes a database with this release's schema that gateways have used for an hour. In a new one none of them uses an account
 * for the first `NODE_LEASE_MS`, as an earlier server in its place may have granted it.
 */
export async function createUsedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await (await PgDatabase.open(database.url)).close();
  await administer(database.url, `UPDATE meta SET opened_at = opened_at - interval '1 hour'`);
  return database;
}

/** Runs statements on a connection of their own. @param url of a server or database */
export async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * The files of one worker share its server, so the place where its address stands is named after the process; by its start,
 * too, since a killed one leaves its place to the next of its number.
 */
async function workerServer(): Promise<string> {
  const folder = join(tmpdir(), `gateway-postgres-${process.pid}-${Math.round(performance.timeOrigin)}`);
  const note = join(folder, 'url');
  return existsSync(note) ? readFileSync(note, 'utf8') : startServer(note);
}

async function startServer(note: string): Promise<string> {
  const { keeper, url } = await keepServer(dirname(note));
  // The worker must be able to end; the keeper sees it by the end of its input.
  keeper.removeAllListeners('exit');
  keeper.stdout.destroy();
  keeper.stderr.destroy();
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  writeFileSync(note, url);
  return url;
}
