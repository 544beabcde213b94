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
  /** Index among the others. */
  place: number;
}

/**
 * The records that have begun and not ended. No `Map`: its tables refer to the ones that replaced them, so that the garbage
 * collector would take most of what was ever in it for alive until a full collection (decision 209).
 */
export class OpenRecords {
  /** In no order. */
  private readonly entries: OpenEntry[] = [];

  add(entry: JournalEntry): OpenEntry {
    const open = { ...entry, isStored: false, place: this.entries.length };
    this.entries.push(open);
    return open;
  }

  /** Does nothing if it was removed before. */
  remove(entry: OpenEntry): void {
    const { place } = entry;
    if (this.entries[place] !== entry) {
      return;
    }
    const last = this.entries.pop();
    if (last && last !== entry) {
      last.place = place;
      this.entries[place] = last;
    }
  }

  /** Number of those that a condition holds for. */
  count(isCounted: (record: LogRecord) => boolean): number {
    return this.entries.reduce((count, { record }) => (isCounted(record) ? count + 1 : count), 0);
  }

  /** Oldest first. */
  list(): OpenEntry[] {
    return this.entries.toSorted((a, b) => a.seq - b.seq);
  }
}
