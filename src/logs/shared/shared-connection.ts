import type pg from 'pg';
import { endClient, numberTypes, pgClient } from '../../common/store/pg-client.js';

const CONNECT_LIMIT_MS = 5000;
const STATEMENT_LIMIT_MS = 10_000;
/** Runs one statement. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** The connections of a thread to the shared store. Statements that take longer than 10 s fail. */
export class SharedConnection {
  private readonly pool: pg.Pool;
  private readonly options: pg.ClientConfig;

  /** @param connections the most that are open, besides those that listen */
  constructor(url: string, connections = 1) {
    this.options = {
      connectionString: url,
      application_name: 'chat-completion-gateway-log',
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: STATEMENT_LIMIT_MS,
      statement_timeout: STATEMENT_LIMIT_MS,
      idle_in_transaction_session_timeout: STATEMENT_LIMIT_MS,
      keepAlive: true,
      types: numberTypes(),
    };
    this.pool = new (pgClient().Pool)({ ...this.options, max: connections });
    // An idle connection that breaks is replaced at its next use; without a listener it would end the thread.
    this.pool.on('error', () => undefined);
    // Likewise one that breaks between two statements of a transaction, which then fails.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, [...values])).rows;
  }

  /** Runs the work's statements so that all of them happen or none. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(
        async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
          (await client.query<Row>(sql, [...values])).rows,
      );
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // Closes the connection, which rolls back in whatever state it is.
      client.release(error as Error);
      throw error;
    }
  }

  /** Closes all but those that listen. */
  async end(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Listens on a channel, on a connection of its own. Rejects if it cannot be opened.
   * @param onEnd called once if the connection breaks
   */
  async listen(channel: string, onNotice: () => void, onEnd: () => void): Promise<void> {
    const client = new (pgClient().Client)(this.options);
    client.on('notification', onNotice);
    client.on('error', () => undefined);
    client.once('end', onEnd);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      // E.g. a standby, which takes connections but does not listen.
      void endClient(client).catch(() => undefined);
      throw error;
    }
  }
}
