import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { keepServer, type KeptServer } from './kept-server.js';
import { findPostgres } from './postgres-programs.js';

/** The reason why there can be no standby here; undefined if there can be one. */
export function whyNoStandby(): string | undefined {
  const scratch = mkdtempSync(join(tmpdir(), 'gateway-postgres-'));
  try {
    const { folder } = findPostgres(scratch);
    return existsSync(join(folder, 'pg_basebackup')) ? undefined : 'needs pg_basebackup, e.g. of Debian';
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A PostgreSQL server of one test's own, which can have a standby, and be killed. */
export class OwnPostgres {
  private constructor(private readonly server: KeptServer) {}

  static start(): Promise<OwnPostgres> {
    return OwnPostgres.keep();
  }

  private static async keep(primary?: string): Promise<OwnPostgres> {
    const folder = join(tmpdir(), `gateway-postgres-${randomUUID()}`);
    return new OwnPostgres(await keepServer(folder, primary));
  }

  get url(): string {
    return this.server.url;
  }

  /**
   * Starts a server that follows this one. What clients commit that connect from now on is confirmed once that has it; for
   * others nothing changes.
   */
  async addQuorumStandby(): Promise<OwnPostgres> {
    const standby = await OwnPostgres.keep(new URL(this.url).port);
    // The servers of tests do not wait for their disk otherwise. A setting of the database is above one of the command.
    await this.query('ALTER DATABASE postgres SET synchronous_commit = on');
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'`);
    await this.query('SELECT pg_reload_conf()');
    return standby;
  }

  /** Makes a standby a server of its own. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends it as a crash does: without a word to the standby, and with its connections. May be called twice. */
  async kill(): Promise<void> {
    const { keeper } = this.server;
    if (keeper.exitCode === null) {
      const ended = once(keeper, 'exit');
      keeper.stdin.end();
      await ended;
    }
  }
}
