import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SteppedClock } from '../../../test/support/gateway/accounts-rig.js';
import { createTestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { Settings } from '../config/settings.js';
import { Database } from '../store/database.js';
import { PgDatabase } from '../store/pg-database.js';
import { type AuditLog } from './audit-log.js';
import { PgAuditLog } from './pg-audit-log.js';
import { SqliteAuditLog } from './sqlite-audit-log.js';

const clock = new SteppedClock();

async function inSqlite(work: (audit: AuditLog) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const database = new Database(Object.assign(new Settings(), { DATA_DIR: folder }));
  try {
    await work(new SqliteAuditLog(database, clock));
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

async function inPostgres(work: (audit: AuditLog) => Promise<void>): Promise<void> {
  const made = await createTestDatabase();
  const database = await PgDatabase.open(made.url);
  try {
    await work(new PgAuditLog(database, clock));
  } finally {
    await database.close();
    await made.drop();
  }
}

it.each([
  ['embedded', inSqlite],
  ['shared', inPostgres],
])('the %s audit list is kept, newest first, by pages', (_name, inStore) =>
  inStore(async (audit) => {
    await audit.add({ actor: null, action: 'key.create', subject: 'ann', after: { role: 'caller' } });
    await audit.add({ actor: 'olga', action: 'settings.change', subject: null, before: 1 });
    const [second, first] = await audit.list(50);
    expect(first).toMatchObject({ actor: null, subject: 'ann', before: null, after: { role: 'caller' } });
    expect(second).toMatchObject({ actor: 'olga', subject: null, before: 1, after: null, at: clock.now() });
    expect(await audit.list(1)).toEqual([second]);
    expect(await audit.list(50, second!.number)).toEqual([first]);
  }),
);
