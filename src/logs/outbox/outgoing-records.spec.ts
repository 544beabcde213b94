import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entry, stored } from '../../../test/support/gateway/log-records.js';
import { logDayOf } from '../records/log-day.js';
import { type StoredRecord } from '../records/stored-record.js';
import { openForWriting } from '../store/log-database.js';
import { RecordWriter } from '../store/record-writer.js';
import { decodeRecords } from './encoded-records.js';
import { Outbox } from './outbox.js';

const LIMITS = { maxBytes: 2 ** 28, keepFrom: 0, now: 0 };

describe('OutgoingRecords', () => {
  let folder: string;
  let file: DatabaseSync;
  let outbox: Outbox;
  let writer: RecordWriter;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outgoing-records-'));
    file = openForWriting(join(folder, 'logs.db'));
    outbox = new Outbox(file, 'node');
    writer = new RecordWriter(file, outbox);
  });
  afterEach(() => {
    file.close();
    rmSync(folder, { recursive: true });
  });

  const write = (...records: StoredRecord[]): void =>
    writer.write(
      records,
      LIMITS,
      () => undefined,
      (_, reason) => expect(reason).toBeUndefined(),
    );

  /** The states of the next batch, each as `seq outcome`, relative to the first record. */
  const next = (from = outbox, firstDay = 0): string[] => {
    const { records } = from.next(firstDay);
    const [first] = [stored(entry('first')).seq];
    return (records ? decodeRecords(records.arrays) : []).map(
      ({ seq, outcome }) => `${seq - first} ${outcome}`,
    );
  };

  /** Changes the file behind the back of what is in memory. */
  const spoil = (): void => file.exec("UPDATE records SET outcome = 'spoilt'");

  it('gives what was written lately from memory, and what was given once from the file', () => {
    write(stored(entry('a'), 0), stored(entry('b'), 1));
    spoil();
    expect(next()).toEqual(['0 ok', '1 ok']);
    expect(next()).toEqual(['0 spoilt', '1 spoilt']);
  });

  it('reads the file if only a part is in memory', () => {
    write(stored(entry('a'), 0));
    next();
    write(stored(entry('b'), 1));
    spoil();
    expect(next()).toEqual(['0 spoilt', '1 spoilt']);
  });

  it('gives each state of a record from memory, and the latest from the file', () => {
    write(stored(entry('a', { outcome: 'pending' }), 0, 0));
    write(stored(entry('a'), 0, 1));
    expect(next()).toEqual(['0 pending', '0 ok']);
    expect(next()).toEqual(['0 ok']);
  });

  it('sends no record that was removed', () => {
    write(stored(entry('a', { outcome: 'pending' }), 0, 0), stored(entry('b'), 1));
    const { seq } = stored(entry('a'), 0);
    writer.remove([seq]);
    const batch = outbox.next(0);
    expect(batch.removed).toEqual([seq]);
    expect(batch.records ? decodeRecords(batch.records.arrays) : []).toMatchObject([{ seq: seq + 1 }]);
  });

  it.each(['before', 'after'])(
    'removes what was shipped as pending, and noted as shipped %s its end is deleted',
    (noted) => {
      const { seq } = stored(entry('a'), 0);
      write(stored(entry('a', { outcome: 'pending' }), 0, 0));
      expect(next()).toEqual(['0 pending']);
      const { last } = outbox.next(0);
      const note = (): void => outbox.remove({ last, usage: [] });
      if (noted === 'before') {
        note();
      }
      write(stored(entry('a'), 0, 1));
      const content = { messages: [{ role: 'user', content: 'x'.repeat(20_000) }] } as never;
      const removed: number[][] = [];
      for (let at = 1; at <= 200; at++) {
        writer.write(
          [stored(entry(`r${at}`, { content }), at)],
          { ...LIMITS, maxBytes: 2 ** 20 },
          () => undefined,
          (_, reason) => expect(reason).toBeUndefined(),
        );
      }
      if (noted === 'after') {
        note();
      }
      for (let isLast = false; !isLast;) {
        const batch = outbox.next(0);
        removed.push([...batch.removed]);
        outbox.remove({ last: batch.last, usage: [] });
        isLast = batch.isLast;
      }
      expect(removed.flat()).toEqual([seq]);
    },
  );

  it('removes what was shipped as pending if its end is deleted, though its row has others', () => {
    const { seq } = stored(entry('a'), 0);
    write(stored(entry('a', { outcome: 'pending' }), 0, 0));
    outbox.remove({ last: outbox.next(0).last, usage: [] });
    write(stored(entry('a'), 0, 1), stored(entry('b'), 2));
    file.exec(`DELETE FROM records WHERE seq = ${seq}`);
    const { removed } = new Outbox(file, 'node').next(0);
    expect(removed).toEqual([seq]);
  });

  it('passes over days that are too old, in memory, too', () => {
    const { seq } = stored(entry('a'), 0);
    write(stored(entry('a'), 0));
    expect(next(outbox, logDayOf(seq) + 1)).toEqual([]);
    write(stored(entry('b'), 1));
    expect(next(outbox, logDayOf(seq))).toEqual(['0 ok', '1 ok']);
  });

  it('forgets what a transaction wrote that was rolled back', () => {
    write(stored(entry('a'), 0));
    file.exec("CREATE TRIGGER refuse BEFORE INSERT ON records BEGIN SELECT RAISE(FAIL, 'full'); END");
    expect(() =>
      writer.write(
        [stored(entry('b'), 1)],
        LIMITS,
        () => undefined,
        () => undefined,
      ),
    ).not.toThrow();
    file.exec('DROP TRIGGER refuse');
    spoil();
    expect(next()).toEqual(['0 spoilt']);
  });

  it('takes out all of what was shipped, or nothing, and the file goes on', () => {
    write(stored(entry('a'), 0));
    const { last, usage } = outbox.next(0);
    file.exec("CREATE TRIGGER refuse BEFORE DELETE ON outbox_rows BEGIN SELECT RAISE(FAIL, 'full'); END");
    expect(() => outbox.remove({ last, usage: usage.numbers })).toThrow('full');
    file.exec('DROP TRIGGER refuse');
    expect(outbox.next(0).usage).toEqual(usage);
    write(stored(entry('b'), 1));
    expect(next()).toEqual(['0 ok', '1 ok']);
  });

  it('keeps no more than 4 MiB in memory, of the newest records', () => {
    const texts = { excerpt: 'x'.repeat(2 ** 20) };
    write(...Array.from({ length: 6 }, (_, at) => stored(entry(`r${at}`, texts), at)));
    spoil();
    const given: string[] = [];
    for (let isLast = false; !isLast;) {
      const batch = outbox.next(0);
      given.push(...(batch.records ? decodeRecords(batch.records.arrays) : []).map(({ outcome }) => outcome));
      outbox.remove({ last: batch.last, usage: [] });
      isLast = batch.isLast;
    }
    expect(given).toEqual(['spoilt', 'spoilt', 'spoilt', 'ok', 'ok', 'ok']);
  });
});
