import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { storedTexts, textsOf } from '../../../test/support/responses/stored-texts.js';
import { type ResponseRecord } from './response-record.js';
import { ResponseTable } from './response-table.js';

const ALL = { maxBytes: 2 ** 30, keepFrom: 0 };

function record(id: string, fields: Partial<ResponseRecord> = {}): ResponseRecord {
  return {
    id,
    owner: 'ann',
    createdAt: 1000,
    previous: null,
    status: 'completed',
    body: `{"id":"${id}","status":"completed","error":null}`,
    input: '[]',
    events: null,
    ...fields,
  };
}

describe('ResponseTable', () => {
  let folder: string;
  let table: ResponseTable;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'responses-'));
    table = new ResponseTable(join(folder, 'responses.db'));
  });

  afterEach(() => {
    table.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const kept = (...ids: string[]): string[] =>
    ids.filter((id) => table.read({ id, owner: 'ann', column: 'body', maxLength: 0 }));

  it('keeps a response for its owner alone, in a file for its user alone', async () => {
    table.put(record('a'), ALL);
    expect(await storedTexts(table, { id: 'a', owner: 'ann' })).toEqual(textsOf(record('a')));
    expect(await storedTexts(table, { id: 'a', owner: 'bob' })).toBeUndefined();
    expect(table.chain({ id: 'a', owner: 'bob', maxLength: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect([table.remove({ id: 'a', owner: 'bob' }), table.remove({ id: 'a', owner: 'ann' })]).toEqual([
      false,
      true,
    ]);
    expect(kept('a')).toEqual([]);
    expect(statSync(join(folder, 'responses.db')).mode & 0o777).toBe(0o600);
  });

  it('replaces a response by its later state', async () => {
    table.put(record('a', { status: 'queued', events: 'x' }), ALL);
    const later = record('a', { body: '{}', events: 'xyz' });
    table.put(later, ALL);
    expect(await storedTexts(table, { id: 'a', owner: 'ann' })).toEqual(textsOf(later));
  });

  it('finds a conversation from its beginning, as far as it is there', () => {
    table.put(record('a'), ALL);
    table.put(record('b', { previous: 'a' }), ALL);
    table.put(record('c', { previous: 'b' }), ALL);
    const ids = (): string[] =>
      table.chain({ id: 'c', owner: 'ann', maxLength: Number.MAX_SAFE_INTEGER }).map(({ id }) => id);
    expect(ids()).toEqual(['a', 'b', 'c']);
    table.remove({ id: 'a', owner: 'ann' });
    expect(ids()).toEqual(['b', 'c']);
    expect(table.chain({ id: 'c', owner: 'ann', maxLength: Number.MAX_SAFE_INTEGER })[0]?.previous).toBe('a');
  });

  it('deletes what is too old', () => {
    table.put(record('a', { createdAt: 1 }), ALL);
    table.put(record('b', { createdAt: 2 }), ALL);
    table.put(record('c', { createdAt: 3 }), { ...ALL, keepFrom: 2 });
    expect(kept('a', 'b', 'c')).toEqual(['b', 'c']);
  });

  it('deletes the oldest of what is too much, but nothing that is under way', () => {
    const input = 'x'.repeat(1000);
    table.put(record('running', { createdAt: 0, input, status: 'in_progress' }), ALL);
    for (let index = 0; index < 300; index++) {
      table.put(record(`r${index}`, { createdAt: index, input }), { ...ALL, maxBytes: 5500 });
    }
    expect(kept('running', 'r295', 'r296', 'r297', 'r298', 'r299')).toEqual([
      'running',
      'r296',
      'r297',
      'r298',
      'r299',
    ]);
    table.put(record('last', { createdAt: 1000 }), { ...ALL, maxBytes: 1 });
    expect(kept('running', 'r299', 'last')).toEqual(['running']);
  });

  it('deletes much a part at a time', () => {
    for (let index = 0; index < 1500; index++) {
      table.put(record(`r${index}`, { createdAt: index }), ALL);
    }
    expect([table.dropOld({ maxBytes: 0, keepFrom: 0 }), kept('r999', 'r1000')]).toEqual([true, ['r1000']]);
    expect([table.put(record('last'), { maxBytes: 0, keepFrom: 0 }), kept('r1499', 'last')]).toEqual([
      false,
      [],
    ]);
    const input = 'x'.repeat(2 ** 23);
    ['a', 'b', 'c'].forEach((id, at) => table.put(record(id, { input, createdAt: at }), ALL));
    expect([table.dropOld({ ...ALL, keepFrom: 9 }), kept('a', 'b', 'c')]).toEqual([true, ['c']]);
  });

  it('takes room from whoever has the most, also after a restart', () => {
    const input = 'x'.repeat(1000);
    table.put(record('b', { owner: 'bob', input, createdAt: 0 }), ALL);
    ['a0', 'a1', 'a2'].forEach((id, at) => table.put(record(id, { input, createdAt: 1 + at }), ALL));
    table.close();
    table = new ResponseTable(join(folder, 'responses.db'));
    table.put(record('c', { owner: 'carl', input, createdAt: 9 }), { ...ALL, maxBytes: 3500 });
    expect(kept('a0', 'a1', 'a2')).toEqual(['a2']);
    const ofOthers = [
      { id: 'b', owner: 'bob' },
      { id: 'c', owner: 'carl' },
    ];
    expect(ofOthers.map((key) => table.read({ ...key, column: 'body', maxLength: 0 }))).not.toContain(
      undefined,
    );
    table.remove({ id: 'c', owner: 'carl' });
    table.put(record('last', { createdAt: 10, status: 'in_progress' }), { ...ALL, maxBytes: 100 });
    expect([kept('a2', 'last'), table.read({ ...ofOthers[0]!, column: 'body', maxLength: 0 })]).toEqual([
      ['last'],
      undefined,
    ]);
  });

  it('knows its size after a restart', () => {
    table.put(record('a', { input: 'x'.repeat(1000), createdAt: 1 }), ALL);
    table.close();
    table = new ResponseTable(join(folder, 'responses.db'));
    table.put(record('b', { createdAt: 2 }), { ...ALL, maxBytes: 1000 });
    expect(kept('a', 'b')).toEqual(['b']);
  });

  it('fails what the process before left under way', async () => {
    table.put(record('a', { status: 'in_progress', body: '{"status":"in_progress","error":null}' }), ALL);
    table.put(record('b'), ALL);
    table.closePending();
    const found = (await storedTexts(table, { id: 'a', owner: 'ann' }))!;
    expect([found.status, JSON.parse(found.body!)]).toEqual([
      'failed',
      {
        status: 'failed',
        error: {
          code: 'server_error',
          message: 'The gateway was restarted before the response was complete.',
        },
      },
    ]);
    expect(await storedTexts(table, { id: 'b', owner: 'ann' })).toEqual(textsOf(record('b')));
  });

  it('refuses a file of another release, and one that is none', () => {
    const other = join(folder, 'other.db');
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE x (y); PRAGMA user_version = 9');
    database.close();
    expect(() => new ResponseTable(other)).toThrow('it has version 9, this release writes 1');
    const garbage = join(folder, 'garbage.db');
    writeFileSync(garbage, 'x'.repeat(5000));
    expect(() => new ResponseTable(garbage)).toThrow(/not a database/);
  });
});
