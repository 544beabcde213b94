import { TransientSet } from '../../common/memory/transient-set.js';
import { type ExchangeBodies } from '../records/exchange-bodies.js';
import { keptEntry } from '../records/kept-entry.js';
import { type LogContent } from '../records/log-content.js';
import { type LogRecord } from '../records/log-filter.js';
import { type RecordNumbers, type StoredRecord, toStoredRecord } from '../records/stored-record.js';

/** A record in the journal. */
export interface JournalEntry {
  readonly seq: number;
  readonly record: LogRecord;
  /** Extent to which its texts are kept. */
  readonly keeps: LogContent;
  readonly bodies?: (() => ExchangeBodies) | undefined;
}

/** The record of an entry as it is kept: what everybody but its owner sees. */
export function keptRecord({ record, keeps }: JournalEntry): LogRecord {
  return record.kind === 'request' ? keptEntry(record, keeps) : record;
}

/** The kept record of an entry in the form of the store. */
export function storedEntry(entry: JournalEntry, changed: RecordNumbers['changed']): StoredRecord {
  return toStoredRecord(keptRecord(entry), { seq: entry.seq, changed }, entry.bodies?.());
}

/** A record that has begun and not ended. */
export interface OpenEntry extends JournalEntry {
  /** Whether the store has it as pending. */
  isStored: boolean;
}

/** The records that have begun and not ended. */
export class OpenRecords {
  private readonly entries = new TransientSet<OpenEntry>();

  add(entry: JournalEntry): OpenEntry {
    const open = { ...entry, isStored: false };
    this.entries.add(open);
    return open;
  }

  /** Does nothing if it was removed before. */
  remove(entry: OpenEntry): void {
    this.entries.delete(entry);
  }

  /** Number of those that a condition holds for. */
  count(isCounted: (record: LogRecord) => boolean): number {
    return [...this.entries].filter(({ record }) => isCounted(record)).length;
  }

  /** Oldest first. */
  list(): OpenEntry[] {
    return [...this.entries].sort((a, b) => a.seq - b.seq);
  }
}
