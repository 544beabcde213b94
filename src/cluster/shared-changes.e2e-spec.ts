import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { SharedChanges, type SharedVersions } from './shared-changes.js';

let made: TestDatabase;
let database: PgDatabase;
let changes: SharedChanges;
let taken: number;

beforeEach(async () => {
  Logger.overrideLogger(false);
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
  changes = new SharedChanges(database, () => 0);
  taken = 0;
});
afterEach(async () => {
  await changes.onApplicationShutdown();
  await database.close();
  await made.drop();
});

/** What a beat would read. */
async function versions(): Promise<SharedVersions> {
  const rows = await database.query<{ topic: string; version: number }>('SELECT * FROM shared_versions');
  return Object.fromEntries(rows.map(({ topic, version }) => [topic, version]));
}

/** Starts, and waits until a later change is announced, so that nothing of the start is under way any more. */
async function start(): Promise<void> {
  changes.onApplicationBootstrap();
  await eventually(PATIENCE_MS, () => expect(taken).toBeGreaterThan(0));
  await eventually(PATIENCE_MS, async () => {
    const before = taken;
    await database.query("SELECT shared_changed('settings')");
    await eventually(5000, () => expect(taken).toBeGreaterThan(before));
  });
}

const changeUnheard = () =>
  database.query("UPDATE shared_versions SET version = version + 1 WHERE topic = 'settings'");

describe('SharedChanges', () => {
  it('takes a change of which it has not heard once a beat has read another version', async () => {
    changes.follow('settings', () => Promise.resolve(void (taken += 1)));
    await start();
    await changeUnheard();
    const before = taken;
    changes.beatAnswered(await versions());
    await eventually(PATIENCE_MS, () => expect(taken).toBe(before + 1));
    changes.beatAnswered(await versions());
    changes.beatAnswered(await versions());
    await changes.onApplicationShutdown();
    expect(taken).toBe(before + 1);
  });

  it('tries again with the next beat what could not be read', async () => {
    let isFailing = false;
    changes.follow('settings', () => {
      taken += 1;
      return isFailing ? Promise.reject(new Error('not now')) : Promise.resolve();
    });
    await start();
    isFailing = true;
    await changeUnheard();
    const before = taken;
    changes.beatAnswered(await versions());
    await eventually(PATIENCE_MS, () => expect(taken).toBe(before + 1));
    isFailing = false;
    await eventually(PATIENCE_MS, async () => {
      changes.beatAnswered(await versions());
      await Promise.resolve();
      expect(taken).toBeGreaterThan(before + 1);
    });
  });

  it('takes other topics, too, if one cannot be taken', async () => {
    changes.follow('keys', () => Promise.reject(new Error('not now')));
    changes.follow('settings', () => Promise.resolve(void (taken += 1)));
    changes.onApplicationBootstrap();
    await eventually(PATIENCE_MS, () => expect(taken).toBe(1));
  });

  it('looks with the next beat whether an outage is over, though nothing has changed', async () => {
    changes.follow('settings', () => Promise.resolve(void (taken += 1)));
    await start();
    const told = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const query = jest.spyOn(database, 'query');
    try {
      const unchanged = await versions();
      query.mockRejectedValueOnce(new Error('not now'));
      changes.beatAnswered({});
      await eventually(PATIENCE_MS, () => expect(failed).toHaveBeenCalled());
      expect(told).not.toHaveBeenCalled();
      query.mockRestore();
      const before = taken;
      changes.beatAnswered(unchanged);
      await eventually(PATIENCE_MS, () => expect(told).toHaveBeenCalled());
      expect(taken).toBe(before);
    } finally {
      jest.restoreAllMocks();
    }
  });
});
