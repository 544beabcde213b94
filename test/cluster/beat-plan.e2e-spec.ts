import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { sendBeat } from '../../src/cluster/beat-statement.js';
import { PgDatabase } from '../../src/common/store/pg-database.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres-server.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';

/** Estimated costs above which PostgreSQL compiles a statement, by default. */
const JIT_ABOVE_COST = 100_000;
const BEAT = {
  node: 'one',
  provider: 'openai',
  version: '',
  nodeLeaseMs: 15_000,
  isDraining: false,
  release: [],
  spare: [],
  claim: 24,
  inUse: 8,
  wanted: [],
  unfit: [],
  report: {},
};

let made: TestDatabase;
let database: PgDatabase;

beforeEach(async () => {
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
});
afterEach(async () => {
  await database.close();
  await made.drop();
});

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Total Cost': number } }];
}

it('is a small statement for the server, also while that knows figures of some of its tables only', async () => {
  await database.query(
    `INSERT INTO accounts (id, provider, name, source, credentials, created_at)
     SELECT id, 'openai', id, 'operator', '', 0 FROM unnest('{a,b,c}'::text[]) AS id;
     INSERT INTO tenures SELECT id, share FROM accounts, generate_series(0, 7) AS share;
     INSERT INTO nodes SELECT id, 'openai', '', now() FROM unnest('{two,three}'::text[]) AS id;
     ANALYZE accounts, tenures, nodes`,
  );
  const sent = jest.spyOn(database, 'queryReserved').mockResolvedValue([{ grants: [], versions: {} }]);
  await sendBeat(database, BEAT, PATIENCE_MS);
  const [sql, values] = sent.mock.lastCall!;
  const [explained] = await database.query<Explained>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  expect(explained!['QUERY PLAN'][0].Plan['Total Cost']).toBeLessThan(JIT_ABOVE_COST / 10);
});
