import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { SharedOutage } from '../logging/shared-outage.js';
import { isDatabaseAway, isLocked, isParameterRefused } from './database-away.js';
import { newNodeName } from './node-name.js';
import { numberTypes, pgClient } from './pg-client.js';
import { PG_MIGRATIONS } from './pg-migrations.js';
import { StoreError } from './store.error.js';

/** Longest wait for a connection, and for the answer to a statement, in milliseconds. */
const TIME_LIMIT_MS = 5000;

/** The statements of a node are short and few. */
const CONNECTIONS = 3;

/** Key of the advisory lock under which one node at a time changes the schema; any number that is the gateway's own. */
const MIGRATION_LOCK = 26405;

/** For a table that a step changes, which e.g. a dump reads for long; then the start is tried again. */
const LOCK_LIMIT = "SET LOCAL lock_timeout = '2s'";

/** Most steps that a schema may be ahead: the release before runs on while a new one is being rolled out. */
const STEPS_AHEAD = 1;

/** One row as an object, by the names of its columns. */
export type PgRow = Record<string, unknown>;

/** Runs one statement; values are passed as parameters only. */
export interface PgQuery {
  <Row extends object = PgRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The store that several gateways share, at `DATABASE_URL`. Nothing waits for it for longer than its time limit; nothing
 * on the way of a request may wait for it at all.
 */
@Injectable()
export class PgDatabase implements OnApplicationShutdown {
  /** Name of this process among those that share the store; new at each start. */
  readonly node = newNodeName();
  /** Told once, however many parts of the gateway meet it. */
  readonly outage: SharedOutage;
  private closing: Promise<void> | undefined;

  private constructor(
    /** For connections of one's own, e.g. to listen. */
    readonly connectionOptions: pg.ClientConfig,
    private readonly pool: pg.Pool,
    /** One connection, which nothing else takes. */
    private readonly reserved: pg.Pool,
  ) {
    const logger = new Logger(PgDatabase.name);
    this.outage = new SharedOutage(isDatabaseAway, {
      begun: (error) =>
        logger.error(
          error,
          'the shared database does not answer; accounts and limits are used until their time is over, what others change ' +
            'is not heard of, and what is to be stored waits',
        ),
      over: () => logger.log('the shared database answers again'),
    });
  }

  /**
   * Connects, and brings the schema to this release's version.
   * @param url `postgres://user:password@host:port/name`, with `sslmode` and the like as parameters
   * @throws StoreError if the database cannot be used; the message names the host and no secret
   */
  static async open(url: string): Promise<PgDatabase> {
    const options = connectionOptions(url);
    const database = new PgDatabase(options, newPool(options, CONNECTIONS), newPool(options, 1));
    try {
      await database.migrate();
      return database;
    } catch (error) {
      await database.close();
      const place = `The database at ${hostOf(url)} (DATABASE_URL)`;
      throw error instanceof StoreError
        ? error
        : new StoreError(`${place} cannot be used: ${reasonOf(error as Error)}`, error);
    }
  }

  /**
   * Runs one statement, which commits by itself.
   * @param limitMs time limit for the answer; a late statement may have been carried out all the same
   */
  query<Row extends object = PgRow>(
    sql: string,
    values: readonly unknown[] = [],
    limitMs = TIME_LIMIT_MS,
  ): Promise<Row[]> {
    return runOn<Row>(this.pool, sql, values, limitMs);
  }

  /** The same for what says that the node lives: it waits for no other statement. */
  queryReserved<Row extends object = PgRow>(
    sql: string,
    values: readonly unknown[],
    limitMs: number,
  ): Promise<Row[]> {
    return runOn<Row>(this.reserved, sql, values, limitMs);
  }

  /** Runs the work's statements so that all of them happen or none. */
  async transaction<T>(work: (query: PgQuery) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const query: PgQuery = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(sql, [...values])).rows;
    try {
      await query('BEGIN');
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

  /** Closes all connections; a second call does nothing. */
  close(): Promise<void> {
    return (this.closing ??= Promise.all([this.pool.end(), this.reserved.end()]).then(() => undefined));
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private migrate(): Promise<void> {
    return this.transaction(async (query) => {
      await query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
      const [row] = await query<{ version: number }>('SELECT version FROM schema_version');
      const version = row?.version ?? 0;
      if (version > PG_MIGRATIONS.length + STEPS_AHEAD) {
        throw new StoreError(
          `The database (DATABASE_URL) was changed by a newer release (version ${version}, this one knows ` +
            `${PG_MIGRATIONS.length}): run that release, or use another database.`,
        );
      }
      // Whoever uses a table while a change waits for it waits, too: those of the release before, for one.
      await query(LOCK_LIMIT);
      for (const step of PG_MIGRATIONS.slice(version)) {
        await query(step);
      }
      if (row === undefined) {
        await query('INSERT INTO schema_version VALUES ($1)', [PG_MIGRATIONS.length]);
      } else if (version < PG_MIGRATIONS.length) {
        await query('UPDATE schema_version SET version = $1', [PG_MIGRATIONS.length]);
      }
    });
  }
}

function newPool(options: pg.ClientConfig, max: number): pg.Pool {
  const pool = new (pgClient().Pool)({ ...options, max });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction has no other listener; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function runOn<Row extends object>(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[],
  limitMs: number,
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    text: sql,
    values: [...values],
    query_timeout: limitMs,
  } as pg.QueryConfig);
  return rows;
}

function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'chat-completion-gateway',
    connectionTimeoutMillis: TIME_LIMIT_MS,
    query_timeout: TIME_LIMIT_MS,
    // The server gives up, too: a statement that nobody waits for must not hold locks.
    statement_timeout: TIME_LIMIT_MS,
    // Nor must a transaction whose gateway is out of reach.
    idle_in_transaction_session_timeout: 2 * TIME_LIMIT_MS,
    keepAlive: true,
    types: numberTypes(),
  };
}

function reasonOf(error: Error): string {
  if (isParameterRefused(error)) {
    return `${error.message}. PgBouncer must have it in its ignore_startup_parameters (see docs/cluster.md)`;
  }
  return isLocked(error)
    ? `${error.message}: what this release changes in it is in use, e.g. by pg_dump`
    : error.message;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}
