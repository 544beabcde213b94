import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { shortLeaseMs } from '../support/gateway/cluster-rig.js';
import { KeyedGateway } from '../support/gateway/keyed-gateway.js';
import { DatabaseProxy } from '../support/postgres/database-proxy.js';
import { createUsedDatabase, type TestDatabase } from '../support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let node: KeyedGateway;

beforeEach(async () => {
  database = await createUsedDatabase();
  proxy = await DatabaseProxy.start(database.url);
  node = await KeyedGateway.start({
    DATABASE_URL: proxy.url,
    SECRET_KEY: 'one secret for all',
    NODE_LEASE_MS: await shortLeaseMs(),
  });
});
afterEach(async () => {
  proxy.thaw();
  await node.close();
  await proxy.close();
  await database.drop();
});

describe('a key with a limit, while the database hangs', () => {
  it('is refused once nobody knows what it may use, and served when it is known again', async () => {
    const limited = await node.make('ann', { requestsPerMinute: 1000 });
    const free = await node.make('bob');
    const ask = (key: string) => node.ask('POST', '/v1/chat/completions', key, {});
    // A body without messages: whoever is let in is told so.
    expect((await ask(limited)).status).toBe(400);
    proxy.freeze();
    await eventually(PATIENCE_MS, async () => {
      const { status, headers, text } = await ask(limited);
      expect([status, headers.get('x-gateway-reason'), text]).toEqual([
        500,
        'database_away',
        expect.stringContaining('the limits of the key are not known at present'),
      ]);
    });
    expect((await ask(free)).status).toBe(400);
    proxy.thaw();
    await eventually(PATIENCE_MS, async () => expect((await ask(limited)).status).toBe(400));
  });
});
