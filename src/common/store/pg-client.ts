import { createRequire } from 'node:module';
import type pg from 'pg';

/** Number of the type `bigint` in every PostgreSQL; what is stored here is far below 2^53. */
const INT8 = 20;

/** Longest wait for a server to close a connection: one that hangs never does. */
const END_LIMIT_MS = 500;

/** Longest wait for a connection, and of a transaction for its next statement. */
const CONNECT_LIMIT_MS = 5000;
const IDLE_LIMIT_MS = 10_000;

/**
 * Each statement is to see what was committed before it: what nodes decide under a lock rests on that, and a row that another
 * node has changed meanwhile is no failure. A role or a database may have another default.
 */
const READ_COMMITTED = 'ISOLATION LEVEL READ COMMITTED';

/**
 * The server is to notice within a minute that a machine is gone, or no way leads there any more: by default it would keep the
 * connections for two hours, and run out of them. And it is to compile no statement, which takes longer than any of these runs.
 */
const SESSION = `SET SESSION CHARACTERISTICS AS TRANSACTION ${READ_COMMITTED}; SET jit = off;
  SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3`;

/** One row as an object, by the names of its columns. */
export type PgRow = Record<string, unknown>;

/** Runs one statement; values are passed as parameters only. The limit for the answer is the connection's by default. */
export interface PgQuery {
  <Row extends object = PgRow>(sql: string, values?: readonly unknown[], limitMs?: number): Promise<Row[]>;
}

/** The client for PostgreSQL, loaded at its first use: it takes 11 MiB, and most gateways have no `DATABASE_URL`. */
export function pgClient(): typeof pg {
  return createRequire(import.meta.url)('pg') as typeof pg;
}

/** @param limitMs time limit for the answer to a statement */
export function pgOptions(url: string, applicationName: string, limitMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: limitMs,
    // The server gives up, too: a statement that nobody waits for must not hold locks.
    statement_timeout: limitMs,
    // Nor must a transaction whose gateway is out of reach.
    idle_in_transaction_session_timeout: IDLE_LIMIT_MS,
    keepAlive: true,
    types: numberTypes(),
  };
}

/** @param max most connections that are open */
export function pgPool(options: pg.ClientConfig, max: number): pg.Pool {
  // The pool waits for it, though its types do not say so.
  const onConnect = (client: pg.ClientBase): unknown => client.query(SESSION);
  const pool = new (pgClient().Pool)({ ...options, max, onConnect, Client: connectionMaker() });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process or thread.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction has no other listener; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Makes the connections of a pool. Each reads the file with the server's authority; where that cannot be read, it fails when it
 * connects, as for any other reason: an error before that would reach nobody who waits, and end the process.
 */
function connectionMaker(): new () => pg.ClientBase {
  const { Client } = pgClient();
  function make(options: pg.ClientConfig): pg.Client {
    try {
      return new Client(options);
    } catch (error) {
      const connect = (done: (failure: unknown) => void): void => void setImmediate(done, error);
      return Object.assign<pg.Client, object>(new Client(), { connect });
    }
  }
  return make as unknown as new () => pg.ClientBase;
}

/**
 * Values of a statement, each text without what PostgreSQL refuses. None of its texts holds a NUL, and so nothing does that
 * somebody looks for.
 */
export function withoutNuls(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
}

/** Runs the work's statements so that all of them happen or none. */
export async function inPgTransaction<T>(pool: pg.Pool, work: (query: PgQuery) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const query: PgQuery = async <Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
    limitMs?: number,
  ) => {
    const config = { text: sql, values: [...values], query_timeout: limitMs } as pg.QueryConfig;
    return (await client.query<Row>(config)).rows;
  };
  try {
    // Said again for poolers, which may give each transaction another connection of theirs.
    await query(`BEGIN ${READ_COMMITTED}`);
    const result = await work(query);
    await query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Closes the connection, which rolls back in whatever state it is; a hanging one could not be told to.
    client.release(error as Error);
    throw error;
  }
}

/** Reads 64-bit integers as numbers. */
export function numberTypes(): pg.CustomTypesConfig {
  const { types } = pgClient();
  return {
    getTypeParser: (oid, format): ((value: never) => unknown) =>
      Number(oid) === INT8 && format !== 'binary'
        ? Number
        : (types.getTypeParser(oid, format) as () => unknown),
  };
}

/** Ends a connection, by cutting it off where the server does not answer. */
export async function endClient(client: pg.Client): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), END_LIMIT_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(limit);
  }
}
