import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Settings } from '../config/settings.js';
import { writeFileAtomically } from '../files/atomic-file.js';
import { Database } from './database.js';
import { sealContext } from './resealing.js';
import { type SecretBox } from './secret-box.js';
import { openSecretBox } from './secret-key.js';
import { StoreError } from './store.error.js';

let folder: string;
let databases: Database[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  databases = [];
});

afterEach(() => {
  databases.forEach((database) => database.close());
  rmSync(folder, { recursive: true, force: true });
});

function open(DATA_DIR = join(folder, 'data')): Database {
  const database = new Database(Object.assign(new Settings(), { DATA_DIR }));
  databases.push(database);
  return database;
}

/** As a back-up is restored with `cp`: the file keeps its inode, the side files go. */
function copyOver(path: string): void {
  rmSync(`${path}-wal`);
  rmSync(`${path}-shm`);
  writeFileSync(path, '');
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('Database', () => {
  it('creates a store for its owner only, in WAL mode, at the newest version', () => {
    const database = open();
    expect(modeOf(database.folder)).toBe(0o700);
    expect(readdirSync(database.folder)).toContain('gateway.db');
    expect({ ...database.prepare('PRAGMA journal_mode').get() }).toEqual({ journal_mode: 'wal' });
    expect({ ...database.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: 1 });
    expect(database.prepare('PRAGMA user_version').get()).not.toEqual({ user_version: 0 });
  });

  it('removes the permissions of others on its folder', () => {
    mkdirSync(join(folder, 'data'), { mode: 0o755 });
    chmodSync(join(folder, 'data'), 0o755);
    expect(modeOf(open().folder)).toBe(0o700);
  });

  it('keeps its rows, and opens again without migrating twice', () => {
    const first = open();
    first.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('k', Uint8Array.of(1));
    first.close();
    first.close();
    const row = open().prepare('SELECT value FROM meta').get() as { value: Uint8Array };
    expect([...row.value]).toEqual([1]);
  });

  it('rolls a transaction back that throws', () => {
    const database = open();
    const insert = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    const fail = () =>
      database.transaction(() => {
        insert.run('k', Uint8Array.of(1));
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    expect(database.transaction(() => database.prepare('SELECT count(*) AS n FROM meta').get())).toEqual({
      n: 0,
    });
  });

  it('says so where the disk is full, and can be written again afterwards', () => {
    const database = open();
    const store = (bytes: number) =>
      database.transaction(() =>
        database.prepare('INSERT INTO meta VALUES (?, ?)').run('k', Buffer.alloc(bytes, 1)),
      );
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
    database.prepare(`PRAGMA max_page_count = ${pages + 1}`).get();
    expect(() => store(100_000)).toThrow(
      expect.objectContaining({
        reason: 'local_resources',
        message: 'Internal server error: the store cannot be written: the disk is full.',
      }),
    );
    expect(() => store(1)).not.toThrow();
  });

  it.each([
    ['removed', () => rmSync(join(folder, 'data'), { recursive: true })],
    ['replaced', () => writeFileAtomically(join(folder, 'data', 'gateway.db'), Buffer.alloc(0), 0o600)],
    ['overwritten', () => copyOver(join(folder, 'data', 'gateway.db'))],
  ])('takes nothing more where its file was %s, since that would be lost', (_what, remove) => {
    const database = open();
    remove();
    const work = jest.fn();
    expect(() => database.transaction(work)).toThrow(
      'Internal server error: the store cannot be written: gateway.db was removed from its folder, or replaced, while the gateway runs.',
    );
    expect(work).not.toHaveBeenCalled();
  });

  it('names the process that holds it, and fails for the time being', () => {
    open().close();
    const other = new DatabaseSync(join(folder, 'data', 'gateway.db'));
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const error = new RegExp(
      'data cannot be used: another process holds gateway.db \\(database is locked\\)$',
    );
    expect(() => open()).toThrow(
      expect.objectContaining({ message: expect.stringMatching(error), passes: true }),
    );
    other.close();
  });

  it('refuses a store of a newer release and leaves it unchanged', () => {
    open().close();
    const raw = new DatabaseSync(join(folder, 'data', 'gateway.db'));
    raw.exec('PRAGMA user_version = 999');
    raw.close();
    expect(() => open()).toThrow(/written by a newer release \(version 999/);
  });

  it('refuses a file that is no database, or a path that is no folder, by name', () => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'gateway.db'), 'x'.repeat(5000));
    expect(() => open()).toThrow(StoreError);
    expect(readFileSync(join(folder, 'data', 'gateway.db'), 'utf8')).toBe('x'.repeat(5000));
    writeFileSync(join(folder, 'file'), '');
    expect(() => open(join(folder, 'file'))).toThrow(/The store in .*file cannot be used/);
  });

  it('refuses a store that is damaged anywhere and leaves it unchanged', () => {
    const path = join(folder, 'data', 'gateway.db');
    const first = open();
    first.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('k', Buffer.alloc(100_000, 1));
    first.close();
    const sound = readFileSync(path);
    const page = 4096;
    for (let from = page; from < sound.length; from += page) {
      const damaged = Uint8Array.from(sound).fill(0xff, from, from + page);
      writeFileSync(path, damaged);
      expect(() => open()).toThrow(StoreError);
      expect(readFileSync(path).equals(damaged)).toBe(true);
    }
  });
});

describe('a store that another process holds', () => {
  let database: Database;
  let other: DatabaseSync;
  let written: string[];
  const write = (key: string) => () => {
    database.prepare('INSERT INTO meta VALUES (?, ?)').run(key, Uint8Array.of(1));
    written.push(key);
  };

  beforeEach(() => {
    written = [];
    database = open();
    database.onApplicationBootstrap();
    other = new DatabaseSync(join(database.folder, 'gateway.db'));
    other.exec('BEGIN IMMEDIATE');
    jest.useFakeTimers({ doNotFake: ['performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
    other.close();
  });

  it('is not waited for within a statement while the gateway serves, but before and after', () => {
    const longestWait = () => Object.values(database.prepare('PRAGMA busy_timeout').get()!);
    expect(() => database.transaction(write('a'))).toThrow('database is locked');
    expect(longestWait()).toEqual([20]);
    database.beforeApplicationShutdown();
    expect(longestWait()).toEqual([5000]);
  });

  it('is waited for between statements by those who can, in their order', async () => {
    const both = Promise.all([database.patiently(write('a')), database.patiently(write('b'))]);
    await jest.advanceTimersByTimeAsync(2000);
    expect(written).toEqual([]);
    other.exec('ROLLBACK');
    await jest.advanceTimersByTimeAsync(500);
    await both;
    expect(written).toEqual(['a', 'b']);
  });

  it('is not waited for without end', async () => {
    const failed = expect(database.patiently(write('a'))).rejects.toThrow(/another process holds the store/);
    await jest.advanceTimersByTimeAsync(6000);
    await failed;
  });

  it('is not waited for where something else fails', async () => {
    other.exec('ROLLBACK');
    const work = () => [write('a'), write('a')].forEach((one) => one());
    await expect(database.patiently(work)).rejects.toThrow(/UNIQUE/);
    expect(database.prepare('SELECT key FROM meta').all()).toEqual([]);
  });
});

describe('a second gateway on one store', () => {
  it('is refused while the first one runs, and let in after it', () => {
    const first = open();
    expect(() => open()).toThrow(/^Another gateway uses the store in .*data: stop it/);
    expect(() => open()).toThrow(StoreError);
    first.close();
    expect(open().folder).toBe(first.folder);
  });

  it('is let in after a process that was killed', async () => {
    const path = join(folder, 'data', 'gateway.lock');
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(${JSON.stringify(path)}).exec('BEGIN EXCLUSIVE');
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script]);
    await once(other.stdout, 'data');
    expect(() => open()).toThrow(/^Another gateway/);
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
    expect(open().folder).toBe(join(folder, 'data'));
  });
});

describe('openSecretBox', () => {
  const PLACE = 'account:1:credentials';

  it('creates the key at the first start, readable for its owner only, and finds it at the next', () => {
    const first = open();
    const sealed = openSecretBox(first, undefined).seal('secret', PLACE);
    const path = join(first.folder, 'secret.key');
    expect(modeOf(path)).toBe(0o600);
    expect(Buffer.from(readFileSync(path, 'utf8').trim(), 'base64').length).toBe(32);
    expect(readdirSync(first.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    first.close();
    expect(openSecretBox(open(), undefined).openText(sealed, PLACE)).toBe('secret');
  });

  it('derives the key from SECRET_KEY, without a file, where that is set', () => {
    const first = open();
    const sealed = openSecretBox(first, 'pass phrase').seal('secret', PLACE);
    expect(readdirSync(first.folder)).not.toContain('secret.key');
    first.close();
    expect(openSecretBox(open(), 'pass phrase').openText(sealed, PLACE)).toBe('secret');
  });

  it.each([
    ['another SECRET_KEY', 'one', 'two', /^SECRET_KEY does not fit the store/],
    ['SECRET_KEY in place of the file', undefined, 'two', /^SECRET_KEY does not fit the store/],
    ['no SECRET_KEY any more', 'one', undefined, /^The key file .* is missing/],
  ])('refuses a key that does not fit, with the reason: %s', (_name, before, after, message) => {
    const first = open();
    openSecretBox(first, before);
    first.close();
    expect(() => openSecretBox(open(), after)).toThrow(message);
  });

  describe('with the key of before beside another one', () => {
    const PARTS = ['credentials', 'driver_state', 'screenshot'] as const;

    function fill(database: Database, box: SecretBox): void {
      const sealed = PARTS.map((part) => box.seal(part, sealContext('7', part)));
      database
        .prepare(
          `INSERT INTO accounts (id, provider, name, source, is_present, is_enabled, credentials, driver_state,
             login_screenshot, created_at) VALUES ('7', 'site', 'ann', 'operator', 1, 1, ?, ?, ?, 0)`,
        )
        .run(...sealed);
    }

    function opened(database: Database, box: SecretBox): string[] {
      const row = database
        .prepare('SELECT credentials, driver_state, login_screenshot AS screenshot FROM accounts')
        .get() as unknown as Record<(typeof PARTS)[number], Uint8Array>;
      return PARTS.map((part) => box.openText(row[part], sealContext('7', part)));
    }

    it('seals all of the store anew, once', () => {
      const database = open();
      fill(database, openSecretBox(database, 'one'));
      openSecretBox(database, 'two', 'one');
      expect(opened(database, openSecretBox(database, 'two', 'one'))).toEqual(PARTS);
      expect(() => openSecretBox(database, 'one')).toThrow(/does not fit/);
    });

    it('takes the text of the key file for that', () => {
      const database = open();
      fill(database, openSecretBox(database, undefined));
      const text = readFileSync(join(database.folder, 'secret.key'), 'utf8').trim();
      expect(opened(database, openSecretBox(database, 'two', text))).toEqual(PARTS);
    });

    it('changes nothing where one value does not open', () => {
      const database = open();
      const box = openSecretBox(database, 'one');
      fill(database, box);
      database
        .prepare('UPDATE accounts SET login_screenshot = ?')
        .run(box.seal('moved', sealContext('8', 'screenshot')));
      expect(() => openSecretBox(database, 'two', 'one')).toThrow(/^account:7:screenshot does not open/);
      expect(
        openSecretBox(database, 'one').openText(credentialsOf(database), sealContext('7', 'credentials')),
      ).toBe('credentials');
    });

    it('refuses one that is neither', () => {
      const database = open();
      openSecretBox(database, 'one');
      expect(() => openSecretBox(database, 'two', 'three')).toThrow(
        /^SECRET_KEY_PREVIOUS does not fit the store/,
      );
    });

    function credentialsOf(database: Database): Uint8Array {
      return (database.prepare('SELECT credentials FROM accounts').get() as { credentials: Uint8Array })
        .credentials;
    }
  });

  it('refuses a damaged, replaced or missing key file and never creates another', () => {
    const database = open();
    openSecretBox(database, undefined);
    const path = join(database.folder, 'secret.key');
    writeFileSync(path, 'abc');
    expect(() => openSecretBox(database, undefined)).toThrow(/is damaged/);
    writeFileSync(path, Buffer.alloc(32, 7).toString('base64'));
    expect(() => openSecretBox(database, undefined)).toThrow(/does not fit the store/);
    rmSync(path);
    expect(() => openSecretBox(database, undefined)).toThrow(/is missing/);
    expect(readdirSync(database.folder)).not.toContain('secret.key');
  });
});

describe('writeFileAtomically', () => {
  it('replaces the file with the given mode and leaves no temporary file', () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'old');
    const content = Buffer.alloc(300_000, 'n');
    writeFileAtomically(path, content, 0o640);
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(modeOf(path)).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('leaves the old file and no temporary one when it fails', () => {
    const path = join(folder, 'target');
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), '');
    expect(() => writeFileAtomically(path, Buffer.from('x'), 0o600)).toThrow();
    expect(readdirSync(folder)).toEqual(['target']);
    expect(readdirSync(path)).toEqual(['inside']);
  });
});
