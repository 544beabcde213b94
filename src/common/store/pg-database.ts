import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { InternalError } from '../errors/gateway.errors.js';
import { SharedOutage } from '../logging/shared-outage.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import {
  isDatabaseAway,
  isDatabaseLost,
  isLocked,
  isParameterRefused,
  isRightMissing,
  isTransactionRefused,
} from './database-away.js';
import { newNodeName } from './node-name.js';
import { inPgTransaction, pgOptions, pgPool, type PgQuery, type PgRow } from './pg-client.js';
import { PG_MIGRATIONS } from './pg-migrations.js';
import { StoreError } from './store.error.js';

/** Longest wait for the answer to a statement, in milliseconds. */
const TIME_LIMIT_MS = 5000;

/** The same for a step of the schema, which e.g. makes an index over the usage of a year. */
const STEP_LIMIT_MS = 600_000;

/** Wait before a failed step of the start is tried again. */
const RETRY_MS = 500;

/** The statements of a node are short and few. */
const CONNECTIONS = 3;

/** For a table that a step changes, which e.g. a dump reads for long; then the start is tried again. */
const LOCK_LIMIT = "SET LOCAL lock_timeout = '2s'";

/** Most steps that a schema may be ahead: the release before runs on while a new one is being rolled out. */
const STEPS_AHEAD = 1;

/**
 * The store that several gateways share, at `DATABASE_URL`. Nothing waits for it for longer than its time limit; nothing
 * on the way of a request may wait for it at all.
 */
@Injectable()
export class PgDatabase implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Of this process among those that share the store; new at each start. People are told its name in the log. */
  readonly nodeId = newNodeName();
  /** Reported once, however many parts of the gateway meet it. */
  readonly outage: SharedOutage;
  private readonly logger = new Logger(PgDatabase.name);
  private isPatient: () => boolean = () => false;
  private closing: Promise<void> | undefined;

  private constructor(
    /** Options for connections outside the pool, e.g. to listen. */
    readonly connectionOptions: pg.ClientConfig,
    private readonly pool: pg.Pool,
    /** One connection, which nothing else takes. */
    private readonly reserved: pg.Pool,
  ) {
    this.outage = new SharedOutage(isDatabaseLost, {
      begun: (error) =>
        this.logger.error(
          error,
          'the shared database does not answer; accounts and limits are used until their time is over, what others change ' +
            'is not heard of, and what is to be stored waits',
        ),
      over: () => this.logger.log('the shared database answers again'),
    });
  }

  /**
   * Connects, and brings the schema to this release's version.
   * @param url `postgres://user:password@host:port/name`, with `sslmode` and the like as parameters
   * @param isPatient whether what fails because the database is away is tried again; asked until the gateway is built, and
   *   false by default
   * @throws StoreError if the database cannot be used; the message names the host and no secret
   */
  static async open(url: string, isPatient = (): boolean => false): Promise<PgDatabase> {
    const options = pgOptions(url, 'chat-completion-gateway', TIME_LIMIT_MS);
    const database = new PgDatabase(options, pgPool(options, CONNECTIONS), pgPool(options, 1));
    database.isPatient = isPatient;
    try {
      await database.patiently(() => database.migrate());
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
   * @throws InternalError `database_away`, as `transaction`
   */
  query<Row extends object = PgRow>(
    sql: string,
    values: readonly unknown[] = [],
    limitMs = TIME_LIMIT_MS,
  ): Promise<Row[]> {
    return orAway(this.patiently(() => runOn<Row>(this.pool, sql, values, limitMs)));
  }

  /** The same for a page of the dashboard: fails at once while the database is known to be away. */
  async look<Row extends object>(sql: string, values: readonly unknown[], limitMs: number): Promise<Row[]> {
    if (this.outage.isOngoing) {
      throw away();
    }
    return this.query<Row>(sql, values, limitMs);
  }

  /** The same for the node's sign of life: it waits for no other statement. */
  queryReserved<Row extends object = PgRow>(
    sql: string,
    values: readonly unknown[],
    limitMs: number,
  ): Promise<Row[]> {
    return runOn<Row>(this.reserved, sql, values, limitMs);
  }

  /** As `query`, over that connection: for what the node must know before it may use what it was granted. */
  queryForGrants<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return orAway(this.patiently(() => runOn<Row>(this.reserved, sql, values, TIME_LIMIT_MS)));
  }

  /** Runs the work's statements so that all of them happen or none. */
  transaction<T>(work: (query: PgQuery) => Promise<T>): Promise<T> {
    return orAway(this.patiently(() => inPgTransaction(this.pool, work)));
  }

  /** Closes all connections; a second call does nothing. */
  close(): Promise<void> {
    return (this.closing ??= Promise.all([this.pool.end(), this.reserved.end()]).then(() => undefined));
  }

  /** Nothing waits for it any longer. */
  onApplicationBootstrap(): void {
    this.isPatient = () => false;
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Steps of the start may run twice: a failed try was rolled back, or the next one finds its result. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    let isTold = false;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!this.isPatient() || !isDatabaseAway(error)) {
          throw error;
        }
        if (!isTold) {
          this.logger.warn(error, 'the start waits for the shared database, which does not answer');
          isTold = true;
        }
        await pause(RETRY_MS);
      }
    }
  }

  private migrate(): Promise<void> {
    return inPgTransaction(this.pool, async (query) => {
      await query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.schema})`);
      await query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
      const [row] = await query<{ version: number }>('SELECT version FROM schema_version');
      const version = row?.version ?? 0;
      if (version > PG_MIGRATIONS.length + STEPS_AHEAD) {
        throw new StoreError(
          `The database (DATABASE_URL) was changed by a newer release (version ${version}, this one knows ` +
            `${PG_MIGRATIONS.length}): run that release, or use another database.`,
        );
      }
      // Whoever uses a table while a change waits for it waits, too, such as gateways of the release before.
      await query(LOCK_LIMIT);
      await query(`SET LOCAL statement_timeout = ${STEP_LIMIT_MS}`);
      for (const step of PG_MIGRATIONS.slice(version)) {
        await query(step, [], STEP_LIMIT_MS);
      }
      if (row === undefined) {
        await query('INSERT INTO schema_version VALUES ($1)', [PG_MIGRATIONS.length]);
      } else if (version < PG_MIGRATIONS.length) {
        await query('UPDATE schema_version SET version = $1', [PG_MIGRATIONS.length]);
      }
    });
  }
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

/** Callers learn that the database is away, which is not the gateway's own fault. */
async function orAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isDatabaseLost(error) ? away(error) : error;
  }
}

function away(cause?: unknown): InternalError {
  return new InternalError('database_away', 'the shared database cannot be reached or used at present.', {
    cause,
  });
}

function reasonOf(error: Error): string {
  if (isParameterRefused(error)) {
    return `${error.message}. PgBouncer must have it in its ignore_startup_parameters (see docs/cluster.md)`;
  }
  if (isTransactionRefused(error)) {
    return `${error.message}. PgBouncer must have the pool_mode transaction or session (see docs/cluster.md)`;
  }
  if (isRightMissing(error)) {
    return `${error.message}. Its role must own the tables and have CREATE on their schema (see docs/cluster.md)`;
  }
  return isLocked(error)
    ? `${error.message}: what this release changes in it is in use, e.g. by pg_dump`
    : error.message;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}
