import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  administer,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/support/postgres/postgres-server.js';
import { PgDatabase } from './pg-database.js';

const MAKE_DAY = `CREATE TABLE log_records_1 (LIKE log_records INCLUDING ALL);
  ALTER TABLE log_records ATTACH PARTITION log_records_1 FOR VALUES FROM (1) TO (2)`;

describe('PgDatabase, as a role that has not made the tables', () => {
  let database: TestDatabase;
  let role: string;
  let owner: string;
  let url: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    role = `node_${randomUUID().replaceAll('-', '')}`;
    owner = `owner_of_${role}`;
    await administer(
      database.url,
      `CREATE USER ${role} PASSWORD 'x'; CREATE USER ${owner} PASSWORD 'x';
      GRANT CREATE ON SCHEMA public TO ${owner}`,
    );
    url = urlOf(role);
    await (await PgDatabase.open(urlOf(owner))).close();
  });
  afterEach(async () => {
    await administer(database.url, `DROP OWNED BY ${role}, ${owner} CASCADE; DROP USER ${role}, ${owner}`);
    await database.drop();
  });

  const urlOf = (username: string): string =>
    Object.assign(new URL(database.url), { username, password: 'x' }).href;

  it('says which rights are missing', async () => {
    await administer(
      database.url,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    await expect(PgDatabase.open(url)).rejects.toThrow(
      /cannot be used: permission denied for schema public\. Its role must own the tables and have CREATE on their schema/,
    );
  });

  it('starts, and makes the table of a day, as a member of the role that has', async () => {
    await administer(database.url, `GRANT ${owner} TO ${role}`);
    const opened = await PgDatabase.open(url);
    await opened.transaction(async (query) => query(MAKE_DAY));
    await opened.close();
  });
});
