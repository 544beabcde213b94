import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { type Outgoing } from '../outbox/outgoing-records.js';
import { FEED_CHANNEL } from './feed.js';
import { FeedListener } from './feed-listener.js';
import { RecordShipment } from './record-shipment.js';
import { SharedConnection } from './shared-connection.js';

const NOTHING: Outgoing = {
  records: undefined,
  removed: [],
  last: 0,
  isLast: true,
  usage: { source: '', rows: [], numbers: [], isLast: true },
};
const NEVER_MS = 2 ** 30;

describe('FeedListener', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let readers: SharedConnection;
  let writer: SharedConnection;
  let shipment: RecordShipment;

  beforeEach(async () => {
    database = await createTestDatabase();
    await (await PgDatabase.open(database.url)).close();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    readers = new SharedConnection(database.url);
    writer = new SharedConnection(database.url);
    shipment = new RecordShipment(writer, 'n');
  });
  afterEach(async () => {
    await readers.end();
    await writer.end();
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await admin.end();
    await database.drop();
  });

  const isFollowed = async (): Promise<boolean> => (await shipment.send(NOTHING)).isFollowed;
  const isNotFollowed = (): Promise<void> =>
    eventually(PATIENCE_MS, async () => expect(await isFollowed()).toBe(false));
  const end = (): Promise<unknown> =>
    admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );

  it('tells all nodes that somebody follows, and those who ship for as long as its connection lasts', async () => {
    const told = Promise.withResolvers<unknown>();
    admin.on('notification', told.resolve);
    await admin.query('LISTEN gateway_shared');
    expect(await isFollowed()).toBe(false);
    const listener = new FeedListener(readers);
    await listener.open();
    expect(await told.promise).toMatchObject({ payload: 'log_followers' });
    expect(await isFollowed()).toBe(true);
    await end();
    await isNotFollowed();
  });

  it('hears of batches, also after its connection broke', async () => {
    const listener = new FeedListener(readers);
    await listener.open();
    await end();
    await eventually(PATIENCE_MS, async () => {
      await listener.open();
      expect(await isFollowed()).toBe(true);
    });
    const heard = listener.announced(NEVER_MS);
    await admin.query(`NOTIFY ${FEED_CHANNEL}`);
    await heard;
  });

  it('ends its connection when nobody has looked for a while, and opens it again', async () => {
    const listener = new FeedListener(readers, 1);
    await listener.open();
    await isNotFollowed();
    await eventually(PATIENCE_MS, async () => {
      await listener.open();
      expect(await isFollowed()).toBe(true);
    });
  });
});
