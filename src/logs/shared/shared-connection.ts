import type pg from 'pg';
import {
  endClient,
  inPgTransaction,
  pgClient,
  pgOptions,
  pgPool,
  type PgQuery,
  withoutNuls,
} from '../../common/store/pg-client.js';

const STATEMENT_LIMIT_MS = 10_000;

/** The connections of a thread to the shared store. Statements that take longer than 10 s fail. */
export class SharedConnection {
  private readonly pool: pg.Pool;
  private readonly options: pg.ClientConfig;

  /** @param connections the most that are open, besides those that listen */
  constructor(url: string, connections = 1) {
    this.options = pgOptions(url, 'chat-completion-gateway-log', STATEMENT_LIMIT_MS);
    this.pool = pgPool(this.options, connections);
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, withoutNuls(values))).rows;
  }

  /** Runs the work's statements so that all of them happen or none. */
  transaction<T>(work: (query: PgQuery) => Promise<T>): Promise<T> {
    return inPgTransaction(this.pool, work);
  }

  /** Closes all but those that listen. */
  async end(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Listens on a connection of its own. Rejects if it cannot.
   * @param sql what it begins with, `LISTEN` among it
   * @param onEnd called once, at the end of the connection
   * @returns a function that ends it
   */
  async listen(sql: string, onNotice: () => void, onEnd: () => void): Promise<() => void> {
    const client = new (pgClient().Client)(this.options);
    client.on('notification', onNotice);
    client.on('error', () => undefined);
    client.once('end', onEnd);
    const end = (): void => void endClient(client).catch(() => undefined);
    try {
      await client.connect();
      await client.query(sql);
      return end;
    } catch (error) {
      // E.g. a standby, which takes connections but does not listen.
      end();
      throw error;
    }
  }
}
