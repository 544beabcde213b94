import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entry, stored } from '../../../test/support/gateway/log-records.js';
import { selectNumber } from '../../common/store/sqlite/sqlite.js';
import { type StoredRecord } from '../records/stored-record.js';
import { openForWriting } from './log-database.js';
import { RecordWriter } from './record-writer.js';

const MAX_BYTES = 2 ** 20;

describe('Retention', () => {
  let folder: string;
  let database: DatabaseSync;
  let writer: RecordWriter;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'retention-'));
    database = openForWriting(join(folder, 'logs.db'));
    writer = new RecordWriter(database);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const write = (records: readonly StoredRecord[], maxBytes = MAX_BYTES): void =>
    writer.write(
      records,
      { maxBytes, keepFrom: 0, now: 0 },
      () => undefined,
      (_record, reason) => {
        throw new Error(reason);
      },
    );
  const count = (isStranger: 0 | 1): number =>
    selectNumber(database, `SELECT count(*) FROM records WHERE is_stranger = ${isStranger}`);

  it('keeps records of strangers within their share, the newest of them, and everybody else’s', () => {
    let number = 0;
    const next = (id: string, isStranger?: true): StoredRecord =>
      stored(entry(id, isStranger && { isStranger }), ++number);
    write(Array.from({ length: 100 }, (_, index) => next(`caller ${index}`)));
    for (let batch = 0; batch < 40; batch++) {
      write(Array.from({ length: 100 }, (_, index) => next(`stranger ${batch} ${index}`, true)));
    }
    expect(count(0)).toBe(100);
    expect(count(1)).toBeGreaterThan(10);
    expect(selectNumber(database, 'SELECT sum(bytes) FROM records WHERE is_stranger = 1')).toBeLessThan(
      MAX_BYTES / 50,
    );
    expect(selectNumber(database, 'SELECT max(seq) FROM records WHERE is_stranger = 1')).toBe(
      stored(entry('last'), number).seq,
    );
    expect(writer.size.entries).toBe(count(0) + count(1));
    expect(selectNumber(database, 'SELECT count(*) FROM texts')).toBe(writer.size.entries);
  });

  it('deletes a part at a time once the limit is lowered, without new records as well', () => {
    write(
      Array.from({ length: 13_000 }, (_, index) => stored(entry(`req ${index}`), index)),
      64 * MAX_BYTES,
    );
    expect(writer.size).toMatchObject({ entries: 13_000, isOverfull: false });
    write([]);
    expect(writer.size.entries).toBeGreaterThan(2900);
    expect(writer.size.isOverfull).toBe(true);
    write([]);
    const { entries, bytes, isOverfull } = writer.size;
    expect([entries > 0, bytes <= MAX_BYTES, isOverfull]).toEqual([true, true, false]);
    expect(selectNumber(database, 'SELECT max(seq) FROM records')).toBe(stored(entry('last'), 12_999).seq);
  });
});
