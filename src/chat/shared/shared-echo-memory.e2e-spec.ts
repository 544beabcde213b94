import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { SharedChanges } from '../../cluster/shared-changes.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { Clock } from '../../common/time/clock.js';
import { SharedEchoMemory } from './shared-echo-memory.js';

/** Stands still, so that nothing is forgotten for its age. */
class StoppedClock extends Clock {
  now(): number {
    return 0;
  }

  monotonic(): number {
    return 0;
  }
}

interface Node {
  readonly own: PgDatabase;
  readonly changes: SharedChanges;
}

let made: TestDatabase;
let database: PgDatabase;
let nodes: Node[];

beforeEach(async () => {
  Logger.overrideLogger(false);
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
  nodes = [];
});

afterEach(async () => {
  await Promise.all(nodes.map(({ changes }) => changes.onApplicationShutdown()));
  await Promise.all(nodes.map(({ own }) => own.close()));
  await database.close();
  await made.drop();
});

async function node(): Promise<SharedEchoMemory> {
  const own = await PgDatabase.open(made.url);
  const changes = new SharedChanges(own, () => 0);
  const memory = new SharedEchoMemory(new StoppedClock(), own, changes);
  changes.onApplicationBootstrap();
  nodes.push({ own, changes });
  return memory;
}

const corrections = (memory: SharedEchoMemory, ...conversations: string[]) =>
  conversations.map((conversation) => memory.corrections(conversation));

describe('SharedEchoMemory', () => {
  it('knows what another gateway has dropped, until it was answered on any', async () => {
    const [one, other] = [await node(), await node()];
    one.remember('a', 1);
    one.remember('b', 1);
    one.remember('a', 2);
    expect(corrections(one, 'a', 'b')).toEqual([2, 1]);
    await eventually(PATIENCE_MS, () => expect(corrections(other, 'a', 'b')).toEqual([2, 1]));
    other.forget('a');
    expect(corrections(other, 'a', 'b')).toEqual([0, 1]);
    await eventually(PATIENCE_MS, () => expect(corrections(one, 'a', 'b')).toEqual([0, 1]));
  });

  it('learns at its start what the others await, and nothing whose time is over', async () => {
    const one = await node();
    one.remember('old', 1);
    one.remember('older', 1);
    await eventually(PATIENCE_MS, async () =>
      expect(await database.query('SELECT FROM echoes')).toHaveLength(2),
    );
    await database.query(`UPDATE echoes SET expires_at = clock_timestamp() WHERE conversation = 'older'`);
    const late = await node();
    await eventually(PATIENCE_MS, () => expect(corrections(late, 'old')).toEqual([1]));
    expect(corrections(late, 'older')).toEqual([0]);
    one.remember('new', 1);
    await eventually(PATIENCE_MS, async () =>
      expect(await database.query('SELECT conversation FROM echoes ORDER BY 1')).toEqual([
        { conversation: 'new' },
        { conversation: 'old' },
      ]),
    );
  });

  it('hears of what comes after a server was restored from an earlier copy', async () => {
    const [one, other] = [await node(), await node()];
    one.remember('a', 1);
    await eventually(PATIENCE_MS, () => expect(corrections(other, 'a')).toEqual([1]));
    await database.query(`UPDATE shared_versions SET version = -100 WHERE topic = 'echoes'`);
    one.remember('b', 1);
    await eventually(PATIENCE_MS, () => expect(corrections(other, 'b')).toEqual([1]));
  });

  it('goes on alone without the database', async () => {
    await database.close();
    const memory = new SharedEchoMemory(new StoppedClock(), database, new SharedChanges(undefined, () => 0));
    memory.remember('a', 1);
    expect(corrections(memory, 'a')).toEqual([1]);
    memory.forget('a');
    expect(memory.isEmpty).toBe(true);
  });
});
