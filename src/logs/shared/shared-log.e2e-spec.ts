import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { entry, exchange } from '../../../test/support/gateway/log-records.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { TcpWall } from '../../../test/support/upstream/tcp-wall.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { Settings } from '../../common/config/settings.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogChange, LogJournal } from '../journal/log-journal.js';
import { type LogFilter, type LogRecord } from '../records/log-filter.js';
import { type RequestLogEntry } from '../records/request-log-entry.js';
import { feedPosition } from './feed.js';
import { settleRestored } from './restored-feed.js';
import { SharedConnection } from './shared-connection.js';
import { SharedSearch } from './shared-search.js';

const clock = new SystemClock();
const STARTED_MS = clock.now();
const RANGE = { fromMs: STARTED_MS - 600_000, toMs: STARTED_MS + 600_000, bucketMs: 1_200_000 };

let database: TestDatabase;
let admin: pg.Client;
let folders: string[];
let journals: LogJournal[];

beforeEach(async () => {
  database = await createTestDatabase();
  await (await PgDatabase.open(database.url)).close();
  admin = new pg.Client({ connectionString: database.url });
  admin.on('error', () => undefined);
  await admin.connect();
  folders = [];
  journals = [];
});
afterEach(async () => {
  await Promise.all(journals.map((journal) => journal.onApplicationShutdown()));
  await admin.end();
  await database.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shared-log-'));
  folders.push(folder);
  return folder;
}

/** The log of a gateway; the same folder makes it the same node. */
async function node(folder?: string, changes: Partial<Settings> = {}): Promise<LogJournal> {
  const DATA_DIR = folder ?? (await newFolder());
  const settings = Object.assign(new Settings(), { DATA_DIR, DATABASE_URL: database.url, ...changes });
  const journal = new LogJournal(settings, clock);
  journals.push(journal);
  await journal.onModuleInit();
  return journal;
}

/** Logs a request that has ended. */
function log(journal: LogJournal, id: string, changes: Partial<RequestLogEntry> = {}): void {
  journal.begin(entry(id, { startedAt: clock.now(), ...changes }), 'full').end();
}

async function records(journal: LogJournal, filter: LogFilter = {}): Promise<LogRecord[]> {
  const { texts } = await journal.flush().page({ limit: 500, ...filter, withTexts: true });
  return texts.map((text) => JSON.parse(text) as LogRecord);
}

const ids = async (journal: LogJournal, filter: LogFilter = {}): Promise<string[]> =>
  (await records(journal, filter)).map(({ id }) => id);

/** Ids and outcomes in the database itself. */
async function stored(): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ id: string; outcome: string }>('SELECT id, outcome FROM log_records');
  return Object.fromEntries(rows.map(({ id, outcome }) => [id, outcome]));
}

/** A transaction that has its number, and nothing else yet. */
async function openBatch(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT pg_current_xact_id()');
  return client;
}

/** SQL: the record `before` again, as if a node of the other name had written it. */
function copyOf(id: string): string {
  return `INSERT INTO log_records
    SELECT (jsonb_populate_record(log_records, jsonb_build_object('node', '${id}', 'id', '${id}',
      'brief', replace(brief, 'before', '${id}'), 'feed', ${feedPosition('1')}))).*
    FROM log_records WHERE id = 'before' LIMIT 1`;
}

/** The name of a node, which logs a request for it; known once its file is open, which a busy machine puts off. */
async function nodeOf(journal: LogJournal, id: string): Promise<string | undefined> {
  log(journal, id);
  return eventually(PATIENCE_MS, async () => {
    const found = (await records(journal)).find((record) => record.id === id);
    expect(found?.node).toBeDefined();
    return found?.node;
  });
}

describe('the log of several gateways', () => {
  it('shows on each what all have logged, whole and in order, and by node', async () => {
    const [one, other] = [await node(), await node()];
    const [oneNode, otherNode] = [await nodeOf(one, 'one'), await nodeOf(other, 'other')];
    expect(oneNode).not.toBe(otherNode);
    log(one, 'a', { content: { messages: [{ role: 'user', content: 'héllo \u0000 𝄞 "x"' }] } as never });
    await eventually(PATIENCE_MS, async () => expect(await ids(other, { q: 'héllo' })).toEqual(['a']));
    log(other, 'b', {
      outcome: 'upstream_error',
      status: 500,
      account: 'acc',
      client: 'curl/8',
      conversation: 'f1',
    });
    one
      .begin(exchange('x', { requestId: 'a', startedAt: clock.now() }), 'full', () => ({
        request: 'a\u0000b',
        response: '{"n":1}',
        isOwnRequest: true,
        secrets: [],
      }))
      .end();
    const [fromOne] = await records(one, { q: 'héllo' });
    await eventually(PATIENCE_MS, async () => {
      expect(await ids(one)).toEqual(['b', 'a', 'other', 'one']);
      expect(await ids(other, { kind: 'network' })).toEqual(['x']);
    });
    expect(await records(other, { q: 'héllo' })).toEqual([fromOne]);
    expect(fromOne).toMatchObject({
      node: oneNode,
      content: { messages: [{ content: 'héllo \u0000 𝄞 "x"' }] },
    });
    expect(await ids(one, { node: otherNode! })).toEqual(['b', 'other']);
    expect(await ids(one, { node: oneNode! })).toEqual(['a', 'one']);
    expect(await ids(one, { node: 'nobody' })).toEqual([]);
    expect(
      await ids(one, { outcome: 'failed', account: 'acc', client: 'curl', status: { from: 500, to: 599 } }),
    ).toEqual(['b']);
    expect(await ids(one, { conversation: 'f1' })).toEqual(['b']);
    expect(await ids(one, { q: 'no such text' })).toEqual([]);
    expect(await ids(one, { q: 'acc' })).toEqual(['b']);
    expect(await ids(one, { q: 'acc', isCallers: true })).toEqual([]);
    const found = await other.flush().find('a');
    expect(found?.network.map((text) => JSON.parse(text) as object)).toMatchObject([
      { id: 'x', requestBody: 'a\ufffdb', responseBody: '{"n":1}', node: oneNode },
    ]);
    for (const reason of ['rate_limited', 'key_limited'] as const) {
      log(one, reason, { outcome: 'rate_limited', error: { code: 'rate_limit', reason } });
    }
    const { whole, buckets } = await one.flush().series(RANGE);
    expect(whole).toMatchObject({
      outcomes: { ok: 3, upstream_error: 1, rate_limited: 2 },
      keyLimited: 1,
      totalMs: { p50: 100, p95: 100 },
    });
    expect(buckets).toEqual([whole]);
  });

  it('shows what a gateway has logged at once, and shows it once', async () => {
    const one = await node();
    const wanted: string[] = [];
    for (let at = 0; at < 60; at++) {
      log(one, `r${at}`);
      wanted.unshift(`r${at}`);
      expect(await ids(one)).toEqual(wanted);
    }
  });

  it('pages through the records of all, each once, those of one number in the order of their nodes', async () => {
    const pair = [await node(), await node()];
    const [one, other] = pair.toSorted((a, b) => (a.node! < b.node! ? -1 : 1)) as [LogJournal, LogJournal];
    const now = jest.spyOn(clock, 'now').mockReturnValue(clock.now());
    const expected: string[] = [];
    for (let at = 0; at < 25; at++) {
      log(one, `one${at}`);
      log(other, `other${at}`);
      expected.unshift(`one${at}`, `other${at}`);
    }
    now.mockRestore();
    await eventually(PATIENCE_MS, async () => expect(Object.keys(await stored())).toHaveLength(50));
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const { texts, next } = await one.flush().page({ limit: 7, ...(before && { before }) });
      seen.push(...texts.map((text) => (JSON.parse(text) as LogRecord).id));
      before = next ?? undefined;
    } while (before);
    expect(seen).toEqual(expected);
    expect(await ids(one)).toEqual(expected);
    expect(await ids(other)).toEqual(expected);
    expect(await ids(one, { limit: 1, sort: 'slowest' })).toHaveLength(1);
  });

  it('ranks the records of all, shipped or not', async () => {
    const [one, other] = [await node(), await node()];
    const usage = (promptTokens: number, completionTokens: number): Partial<RequestLogEntry> => ({
      usage: { promptTokens, completionTokens, reasoningTokens: 0, cachedTokens: 0 },
    });
    log(one, 'second', { ...usage(5, 20), queuedMs: 9.5 });
    log(other, 'most', { ...usage(3e9, 3e9), queuedMs: 5 });
    log(other, 'none');
    await eventually(PATIENCE_MS, async () => expect(Object.keys(await stored())).toHaveLength(3));
    log(one, 'third', { ...usage(20, 4), queuedMs: 7 });
    expect(await ids(one, { sort: 'largest', limit: 3 })).toEqual(['most', 'second', 'third']);
    expect(await ids(one, { sort: 'waited', limit: 3 })).toEqual(['second', 'third', 'most']);
  });

  it('tells followers what other gateways log, and what they missed', async () => {
    const [one, other] = [await node(), await node()];
    const changes: LogChange[] = [];
    const subscription = one.allChanges$.subscribe((change) => changes.push(change));
    await eventually(PATIENCE_MS, () => {
      log(one, 'own');
      one.settle();
      expect(changes.at(-1)?.cursor).toBeDefined();
    });
    const { cursor } = changes.at(-1)!;
    log(other, 'foreign');
    await eventually(PATIENCE_MS, () => {
      expect(changes.filter(({ record }) => record.id === 'foreign').at(-1)?.record).toMatchObject({
        outcome: 'ok',
      });
    });
    const last = changes.findLast(({ record }) => record.id === 'foreign')!;
    expect(last.cursor).toBeGreaterThan(cursor!);
    subscription.unsubscribe();
    log(other, 'later');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toMatchObject({ later: 'ok' }));
    const missed = await one.flush().changes({ after: last.cursor!, limit: 10, withTexts: true });
    // Its own may come again, as decision 116 says.
    const others = missed.filter(({ text }) => (JSON.parse(text) as LogRecord).id !== 'own');
    expect(others.map(({ text }) => (JSON.parse(text) as LogRecord).id)).toEqual(['later']);
    expect(others[0]?.changed).toBeGreaterThan(last.cursor!);
  });

  it('waits for a database that is out of reach, shows its own meanwhile, and loses nothing', async () => {
    const wall = await TcpWall.start(new URL(database.url));
    const one = await node(undefined, { DATABASE_URL: wall.url });
    log(one, 'before');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ before: 'ok' }));
    await wall.shut();
    for (let at = 0; at < 200; at++) {
      log(one, `during${at}`, {
        content: { messages: [{ role: 'user', content: 'x'.repeat(20_000) }] } as never,
      });
    }
    await eventually(PATIENCE_MS, async () => expect(await ids(one)).toHaveLength(201));
    await wall.open();
    await eventually(PATIENCE_MS, async () => expect(Object.keys(await stored())).toHaveLength(201));
    expect(await ids(one)).toHaveLength(201);
    await one.onApplicationShutdown();
    await wall.close();
  });

  it('does not say that there is no such request while what others have logged cannot be read', async () => {
    const wall = await TcpWall.start(new URL(database.url));
    const [one, other] = [await node(undefined, { DATABASE_URL: wall.url }), await node()];
    log(one, 'here');
    log(other, 'there');
    const found = async (id: string): Promise<unknown> => (await one.flush().find(id)) && 'found';
    await eventually(PATIENCE_MS, async () => expect(await found('there')).toBe('found'));
    expect([await found('nowhere'), await found('\0')]).toEqual([undefined, undefined]);
    await wall.shut();
    await expect(found('there')).rejects.toMatchObject({ reason: 'database_away' });
    expect(await found('here')).toBe('found');
    await one.onApplicationShutdown();
    await wall.close();
  });

  it('removes what it has shipped as pending if an outage outlasts the limits of its file', async () => {
    const wall = await TcpWall.start(new URL(database.url));
    const one = await node(undefined, { DATABASE_URL: wall.url, LOG_MAX_BYTES: 2 ** 20 });
    const running = entry('cut', { startedAt: clock.now(), outcome: 'pending' });
    const open = one.begin(Object.assign(running, { totalMs: undefined }), 'full');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ cut: 'pending' }));
    await wall.shut();
    Object.assign(running, { outcome: 'ok', totalMs: 5 });
    open.end();
    for (let at = 0; at < 200; at++) {
      log(one, `during${at}`, {
        content: { messages: [{ role: 'user', content: 'x'.repeat(20_000) }] } as never,
      });
    }
    await eventually(PATIENCE_MS, async () => expect((await ids(one)).at(-1)).not.toMatch(/^(cut|during0)$/));
    await wall.open();
    await eventually(PATIENCE_MS, async () => {
      const { cut, ...others } = await stored();
      expect([cut, others.during199, one.lagMs]).toEqual([undefined, 'ok', 0]);
    });
    await one.onApplicationShutdown();
    await wall.close();
  });

  it('closes what a dead node left pending as crashed, once, and takes its true end if it was not dead', async () => {
    const folder = await newFolder();
    const [dead, witness] = [await node(folder), await node()];
    const running = entry('cut', { startedAt: clock.now(), outcome: 'pending' });
    const open = dead.begin(
      Object.assign(running, { totalMs: undefined, attempts: [{ outcome: 'running' }] }),
      'full',
    );
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ cut: 'pending' }));
    const changes: LogChange[] = [];
    const subscription = witness.allChanges$.subscribe((change) => changes.push(change));
    const { rows } = await admin.query<{ node: string }>('SELECT node FROM log_records');
    const age = `UPDATE log_nodes SET seen_at = clock_timestamp() - interval '31 seconds' WHERE node = '${rows[0]!.node}'`;
    await eventually(PATIENCE_MS, async () => {
      await admin.query(age);
      expect(await stored()).toEqual({ cut: 'crashed' });
    });
    await eventually(PATIENCE_MS, () => expect(changes.at(-1)?.record).toMatchObject({ outcome: 'crashed' }));
    expect(changes.at(-1)?.record).toMatchObject({ id: 'cut', attempts: [{ outcome: 'crashed' }] });
    await admin.query(age);
    log(witness, 'next');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ cut: 'crashed', next: 'ok' }));
    expect(changes.filter(({ record }) => record.id === 'cut')).toHaveLength(1);
    Object.assign(running, { outcome: 'ok', totalMs: 5, attempts: [{ outcome: 'ok' }] });
    open.end();
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ cut: 'ok', next: 'ok' }));
    subscription.unsubscribe();
  });

  it('ships what a gateway that was killed has left in its file, under the same name', async () => {
    const folder = await newFolder();
    const settings = Object.assign(new Settings(), { DATA_DIR: folder });
    // Without a database it ships nothing, and keeps everything.
    const alone = new LogJournal(settings, clock);
    await alone.onModuleInit();
    log(alone, 'earlier');
    alone.begin(entry('cut', { startedAt: clock.now(), outcome: 'pending' }), 'full');
    // At its end it waits for a slow disk for 2 s only.
    await eventually(PATIENCE_MS, () => expect(alone.stats().entries).toBe(2));
    await alone.onApplicationShutdown();
    const first = await node(folder);
    await eventually(PATIENCE_MS, async () =>
      expect(await stored()).toEqual({ earlier: 'ok', cut: 'crashed' }),
    );
    const name = await nodeOf(first, 'own');
    await first.onApplicationShutdown();
    expect(await nodeOf(await node(folder), 'again')).toBe(name);
  });

  it('leaves out a record that the database does not take, and ships the others', async () => {
    const one = await node();
    log(one, 'before');
    log(one, 'refused', { status: 2 ** 40 });
    log(one, 'after');
    await eventually(PATIENCE_MS, async () => {
      expect(await stored()).toEqual({ before: 'ok', after: 'ok' });
      expect(one.lagMs).toBe(0);
    });
  });

  const EARLIER = [
    `CREATE TABLE outbox (seq INTEGER PRIMARY KEY, changed INTEGER NOT NULL) STRICT;
     CREATE TRIGGER record_put AFTER INSERT ON records
       BEGIN INSERT OR REPLACE INTO outbox VALUES (new.seq, new.changed); END`,
    `CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL) STRICT;
     CREATE TRIGGER record_put AFTER INSERT ON records BEGIN INSERT INTO outbox (seq) VALUES (new.seq); END`,
  ];
  it.each(EARLIER)('ships what an outbox of an earlier release holds: %s', async (outbox) => {
    const folder = await newFolder();
    const alone = new LogJournal(Object.assign(new Settings(), { DATA_DIR: folder }), clock);
    await alone.onModuleInit();
    log(alone, 'earlier');
    await eventually(PATIENCE_MS, () => expect(alone.stats().entries).toBe(1));
    await alone.onApplicationShutdown();
    const file = new DatabaseSync(join(folder, 'logs.db'));
    file.exec(outbox);
    file.close();
    const one = await node(folder);
    log(one, 'new');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ earlier: 'ok', new: 'ok' }));
  });

  it('passes no change over whose transaction ends late', async () => {
    const [one, other] = [await node(), await node()];
    const seen: string[] = [];
    const subscription = one.allChanges$.subscribe(({ record }) => seen.push(record.id));
    // One that is shipped before the follower has begun is not for it.
    await eventually(PATIENCE_MS, () => {
      log(other, 'before');
      expect(seen).toContain('before');
    });
    // Nodes in the middle of a batch, of which the later one writes and the earlier one ends first.
    const [early, late] = [await openBatch(), await openBatch()];
    await late.query(copyOf('late'));
    await early.query(copyOf('early'));
    await early.query('COMMIT');
    await eventually(PATIENCE_MS, () => expect(seen).toContain('early'));
    log(other, 'after');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toMatchObject({ after: 'ok' }));
    expect(seen).not.toContain('after');
    await late.query('COMMIT');
    await eventually(PATIENCE_MS, () => expect(seen).toContain('after'));
    expect(seen.filter((id) => id !== 'before')).toEqual(['early', 'late', 'after']);
    subscription.unsubscribe();
    await Promise.all([early.end(), late.end()]);
  });

  it('shows new changes of a database that counts its transactions anew', async () => {
    const writer = await node();
    log(writer, 'dumped');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ dumped: 'ok' }));
    await admin.query('UPDATE log_records SET feed = (2 ^ 50)::bigint');
    const connection = new SharedConnection(database.url);
    await settleRestored(connection, clock);
    log(writer, 'new');
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual({ dumped: 'ok', new: 'ok' }));
    const search = new SharedSearch(connection, clock);
    const changes = await search.changes({ after: -1, limit: 10, withTexts: false }, 'another');
    expect(changes.map(({ text }) => (JSON.parse(text) as { id: string }).id)).toEqual(['dumped', 'new']);
    expect(await search.position()).toBe(changes.at(-1)?.changed);
    await connection.end();
  });

  it('reads no more changes than the length of a page', async () => {
    const writer = await node();
    const content = { messages: [], reasoning: '', answer: 'x'.repeat(2 ** 23) };
    ['a', 'b', 'c'].forEach((id) => log(writer, id, { content }));
    const all = { a: 'ok', b: 'ok', c: 'ok' };
    await eventually(PATIENCE_MS, async () => expect(await stored()).toEqual(all));
    const changes = async (withTexts: boolean): Promise<readonly string[]> =>
      (await writer.flush().changes({ after: 0, limit: 10, withTexts })).map(
        ({ text }) => (JSON.parse(text) as LogRecord).id,
      );
    expect(await changes(true)).toEqual(['b', 'c']);
    expect(await changes(false)).toEqual(['a', 'b', 'c']);
  });
});
