import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { SharedConnection } from './shared-connection.js';

describe('SharedConnection', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let connection: SharedConnection;

  beforeEach(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    connection = new SharedConnection(database.url);
  });
  afterEach(async () => {
    await connection.end();
    await admin.end();
    await database.drop();
  });

  it('leaves no connection behind where it cannot listen', async () => {
    let ends = 0;
    const listening = connection.listen(
      'LISTEN no channel',
      () => undefined,
      () => ends++,
    );
    await expect(listening).rejects.toThrow(/syntax error/);
    await eventually(PATIENCE_MS, async () => {
      const { rows } = await admin.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      expect([rows.length, ends]).toEqual([0, 1]);
    });
  });
});
