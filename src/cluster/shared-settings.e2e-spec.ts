import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { type Settings } from '../common/config/settings.js';
import { SettingsEditor } from '../common/config/settings-editor.js';
import { settingsFromEnvironment } from '../common/config/settings-loader.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { SecretBox } from '../common/store/secret-box.js';
import { NodeReport } from './node-report.js';
import { SharedChanges } from './shared-changes.js';
import { adoptSharedSettings, SharedSettings } from './shared-settings.js';

const TOO_MANY_SESSIONS = {
  names: ['POOL_MIN_SESSIONS'],
  text: 'POOL_MIN_SESSIONS must not exceed POOL_MAX_SESSIONS',
};
const box = new SecretBox(Buffer.alloc(32, 7));

interface Node {
  readonly settings: Settings;
  readonly shared: SharedSettings;
  readonly editor: SettingsEditor;
  readonly database: PgDatabase;
  readonly changes: SharedChanges;
  readonly report: NodeReport;
  readonly file: string;
  close(): Promise<void>;
}

let made: TestDatabase;
let nodes: Node[];
let folders: string[];

beforeEach(async () => {
  Logger.overrideLogger(false);
  made = await createTestDatabase();
  nodes = [];
  folders = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  folders.forEach((folder) => rmSync(folder, { recursive: true }));
  await made.drop();
});

function editorOf(content: object | undefined, environment: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'shared-settings-'));
  folders.push(folder);
  const file = join(folder, 'config.json');
  if (content) {
    writeFileSync(file, JSON.stringify(content));
  }
  const { settings, origin } = settingsFromEnvironment(environment, folder).validate({});
  return { settings, file, editor: new SettingsEditor(settings, origin) };
}

/** A gateway with its own file and environment. */
async function node(content?: object, environment: NodeJS.ProcessEnv = {}): Promise<Node> {
  const { settings, file, editor } = editorOf(content, environment);
  const database = await PgDatabase.open(made.url);
  const changes = new SharedChanges(database, () => 0.5);
  const report = new NodeReport();
  const shared = new SharedSettings(editor, { database, box, changes, report });
  changes.onApplicationBootstrap();
  const close = async (): Promise<void> => {
    await changes.onApplicationShutdown();
    await database.close();
  };
  const one = { settings, shared, editor, database, changes, report, file, close };
  nodes.push(one);
  return one;
}

const save = async ({ shared }: Node, values: object, version?: string): Promise<string> => {
  const seen = version ?? (await shared.read()).version;
  return (await shared.save({ ...values }, (current) => current === seen)).saved.version;
};
const textOf = ({ file }: Node): object | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : undefined;

describe('SharedSettings', () => {
  it('brings a change into force on the other node, and into its file', async () => {
    const [one, other] = [
      await node({ '// note': 1, PORT: 4711 }),
      await node({ PORT: 4712, ECHO_ACTION: 'off' }),
    ];
    await save(one, { POOL_QUEUE_LIMIT: 7 });
    await eventually(PATIENCE_MS, () => expect(other.settings.POOL_QUEUE_LIMIT).toBe(7));
    expect([textOf(one), textOf(other)]).toEqual([
      { '// note': 1, PORT: 4711, POOL_QUEUE_LIMIT: 7 },
      { PORT: 4712, POOL_QUEUE_LIMIT: 7 },
    ]);
    await save(other, { POOL_QUEUE_LIMIT: null, DEFAULT_MAX_TOKENS: 99 });
    await eventually(PATIENCE_MS, () => expect(one.settings.DEFAULT_MAX_TOKENS).toBe(99));
    expect(textOf(one)).toEqual({ '// note': 1, PORT: 4711, DEFAULT_MAX_TOKENS: 99 });
  });

  it('leaves settings alone that only another release knows', async () => {
    const one = await node();
    await save(one, { POOL_QUEUE_LIMIT: 7 });
    const stored = async (): Promise<object> => {
      const [row] = await one.database.query<{ sealed: Uint8Array }>('SELECT sealed FROM shared_settings');
      return JSON.parse(box.openText(row!.sealed, 'shared_settings')) as object;
    };
    const newer = { ...(await stored()), OF_THE_NEXT_RELEASE: 'x' };
    const sealed = box.seal(JSON.stringify(newer), 'shared_settings');
    await one.database.query('UPDATE shared_settings SET sealed = $1', [sealed]);
    await save(one, { POOL_QUEUE_LIMIT: null, DEFAULT_MAX_TOKENS: 99, PORT: 5000 });
    expect(await stored()).toEqual({ OF_THE_NEXT_RELEASE: 'x', DEFAULT_MAX_TOKENS: 99 });
    expect(textOf(one)).toEqual({ DEFAULT_MAX_TOKENS: 99, PORT: 5000 });
  });

  it('keeps where a node listens to itself', async () => {
    const [one, other] = [await node(), await node()];
    await save(one, { PORT: 5000, POOL_QUEUE_LIMIT: 7 });
    await eventually(PATIENCE_MS, () => expect(other.settings.POOL_QUEUE_LIMIT).toBe(7));
    expect(textOf(other)).toEqual({ POOL_QUEUE_LIMIT: 7 });
  });

  it('refuses a change that is based on an earlier version, and loses none', async () => {
    const [one, other] = [await node(), await node()];
    const { version } = await one.shared.read();
    const results = await Promise.allSettled([
      save(one, { POOL_QUEUE_LIMIT: 7 }, version),
      save(other, { DEFAULT_MAX_TOKENS: 99 }, version),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({
      code: 'version_conflict',
    });
    await save(one, { RETRY_MAX_ATTEMPTS: 2 });
    const first = results[0]?.status === 'fulfilled' ? { POOL_QUEUE_LIMIT: 7 } : { DEFAULT_MAX_TOKENS: 99 };
    await eventually(PATIENCE_MS, () =>
      expect([textOf(one), textOf(other)]).toEqual([
        { ...first, RETRY_MAX_ATTEMPTS: 2 },
        { ...first, RETRY_MAX_ATTEMPTS: 2 },
      ]),
    );
  });

  it('changes nothing, anywhere, if a value is not valid', async () => {
    const [one, other] = [await node(), await node()];
    await expect(save(one, { POOL_QUEUE_LIMIT: -1 })).rejects.toMatchObject({
      param: 'values.POOL_QUEUE_LIMIT',
    });
    expect([textOf(one), textOf(other), (await other.shared.read()).version]).toEqual([
      undefined,
      undefined,
      '0',
    ]);
  });

  it('changes nothing while the database is away', async () => {
    const one = await node();
    const { version } = await one.shared.read();
    await one.close();
    await expect(save(one, { POOL_QUEUE_LIMIT: 7 }, version)).rejects.toMatchObject({
      code: 'internal_error',
    });
    expect([textOf(one), one.settings.POOL_QUEUE_LIMIT]).not.toContain(7);
    expect((await one.shared.read()).version).toBe('0');
  });

  it('takes over with a later beat what it could not when its file was half written', async () => {
    const [one, other] = [await node(), await node({ API_KEY: 'the-key-of-before' })];
    await eventually(PATIENCE_MS, async () => expect((await other.shared.read()).version).toBe('0'));
    writeFileSync(other.file, '{ "API_KEY": ');
    await save(one, { API_KEY: 'the-key-after-that' });
    await eventually(PATIENCE_MS, () =>
      expect(other.report.read()).toEqual({ settingsProblem: expect.stringContaining('config.json') }),
    );
    expect(other.settings.API_KEY).toBe('the-key-of-before');
    writeFileSync(other.file, '{}');
    await eventually(PATIENCE_MS, () => {
      other.changes.beatAnswered({ settings: 1 });
      expect(other.settings.API_KEY).toBe('the-key-after-that');
    });
    expect([textOf(other), other.report.read()]).toEqual([{ API_KEY: 'the-key-after-that' }, {}]);
    expect((await other.shared.read()).version).toBe('1');
  });

  it('leaves out what one node cannot use, and that alone, without losing it for the others', async () => {
    const one = await node();
    // What its environment sets makes POOL_MIN_SESSIONS of the others too large.
    const other = await node({ POOL_MIN_SESSIONS: 2 }, { POOL_MAX_SESSIONS: '2' });
    await save(one, { POOL_MIN_SESSIONS: 3, POOL_MAX_SESSIONS: 9 });
    await save(one, { API_KEY: 'the-key-after-that' });
    await eventually(PATIENCE_MS, () => expect(other.settings.API_KEY).toBe('the-key-after-that'));
    expect(other.settings.POOL_MIN_SESSIONS).toBe(2);
    expect([one.report.read(), other.report.read()]).toEqual([
      {},
      { leftOut: [TOO_MANY_SESSIONS], overridden: ['POOL_MAX_SESSIONS'] },
    ]);
    await save(other, { POOL_QUEUE_LIMIT: 7 });
    await eventually(PATIENCE_MS, () => expect(one.settings.POOL_QUEUE_LIMIT).toBe(7));
    expect(textOf(one)).toEqual({
      POOL_MIN_SESSIONS: 3,
      POOL_MAX_SESSIONS: 9,
      API_KEY: 'the-key-after-that',
      POOL_QUEUE_LIMIT: 7,
    });
    await save(other, { POOL_MIN_SESSIONS: 1 });
    expect(other.report.read()).toEqual({ overridden: ['POOL_MAX_SESSIONS'] });
  });

  it('leaves out a value that only another release knows, and takes the rest, also at a start', async () => {
    const one = await node({ LOG_LEVEL: 'debug' });
    const values = { LOG_LEVEL: 'of-the-next-release', POOL_MIN_SESSIONS: 3, API_KEY: 'the-shared-key' };
    const sealed = box.seal(JSON.stringify(values), 'shared_settings');
    await one.database.query('UPDATE shared_settings SET sealed = $1', [sealed]);
    await one.database.query(`SELECT shared_changed('settings')`);
    await eventually(PATIENCE_MS, () => expect(one.settings.API_KEY).toBe('the-shared-key'));
    expect([one.settings.LOG_LEVEL, one.settings.POOL_MIN_SESSIONS]).toEqual(['debug', 3]);
    expect(one.report.read()).toEqual({
      leftOut: [{ names: ['LOG_LEVEL'], text: expect.stringContaining('LOG_LEVEL must be') }],
    });
    const started = editorOf(undefined, { POOL_MAX_SESSIONS: '2' });
    await adoptSharedSettings(one.database, box, started.editor);
    expect(JSON.parse(readFileSync(started.file, 'utf8'))).toEqual({ API_KEY: 'the-shared-key' });
  });

  it('leaves out, at a start, what a stricter environment has made of the copy in its file', async () => {
    const one = await node();
    await save(one, { POOL_MIN_SESSIONS: 3, API_KEY: 'the-shared-key' });
    const database = { DATABASE_URL: 'postgres://me@store/gateway', SECRET_KEY: 's' };
    const started = editorOf({ POOL_MIN_SESSIONS: 3 }, { ...database, POOL_MAX_SESSIONS: '2' });
    await adoptSharedSettings(one.database, box, started.editor);
    expect(JSON.parse(readFileSync(started.file, 'utf8'))).toEqual({ API_KEY: 'the-shared-key' });
  });

  it('gives a gateway that starts what takes effect at the start only, and stores secrets sealed', async () => {
    const one = await node();
    await save(one, { API_KEY: 'a-key-that-is-not-shown', MAX_CONNECTIONS: 100 });
    const { rows } = { rows: await one.database.query('SELECT sealed::text FROM shared_settings') };
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('a-key-that').toString('hex'));
    const { file, editor } = editorOf(undefined, {});
    await adoptSharedSettings(one.database, box, editor);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      API_KEY: 'a-key-that-is-not-shown',
      MAX_CONNECTIONS: 100,
    });
  });
});
