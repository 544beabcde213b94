import { type LogRecord } from './log-filter.js';
import { lengthOf, type StoredRecord, textOf, toStoredRecord } from './stored-record.js';

/** Most records, and most characters of their texts, that are kept. */
const MAX_RECORDS = 1000;
const MAX_CHARACTERS = 16 * 2 ** 20;

interface Recent {
  changed: number;
  /** While it is under way; then the JSON takes its place, which holds on to nothing else. */
  live: LogRecord | undefined;
  stored: StoredRecord | undefined;
}

/** The newest records in memory, in the order in which they began. */
export class RecentRecords {
  private readonly records = new Map<number, Recent>();
  private characters = 0;
  private lastEvicted: number;

  /** @param startNumber what changed up to it was never here */
  constructor(
    startNumber = 0,
    private readonly maxRecords = MAX_RECORDS,
  ) {
    this.lastEvicted = startNumber;
  }

  begun(seq: number, record: LogRecord): void {
    this.records.set(seq, { changed: seq, live: record, stored: undefined });
    this.evict();
  }

  ended(record: StoredRecord): void {
    const recent = this.records.get(record.seq);
    if (recent) {
      recent.changed = record.changed;
      recent.live = undefined;
      recent.stored = record;
      this.characters += lengthOf(record);
      this.evict();
    }
  }

  /** The newest first. */
  newest(limit: number): LogRecord[] {
    return [...this.records.values()]
      .reverse()
      .slice(0, limit)
      .map(({ live, stored }) => live ?? (JSON.parse(stored ? textOf(stored, true) : 'null') as LogRecord));
  }

  /** Whether everything that changed after a number is still here. */
  covers(number: number): boolean {
    return number >= this.lastEvicted;
  }

  /** What changed after a number, each record in its present state, the oldest change first. */
  changedAfter(number: number): { readonly changed: number; text(withTexts: boolean): string }[] {
    return [...this.records]
      .filter(([, { changed }]) => changed > number)
      .sort(([, a], [, b]) => a.changed - b.changed)
      .flatMap(([seq, { changed, live, stored }]) => {
        const record = stored ?? (live && toStoredRecord(live, { seq, changed }));
        return record ? [{ changed, text: (withTexts: boolean) => textOf(record, withTexts) }] : [];
      });
  }

  /** What is under way stays, so that each gets its end; there is only as much as there are callers waiting. */
  private evict(): void {
    if (this.records.size <= this.maxRecords && this.characters <= MAX_CHARACTERS) {
      return;
    }
    for (const [seq, { stored, changed }] of this.records) {
      if (stored) {
        this.records.delete(seq);
        this.characters -= lengthOf(stored);
        this.lastEvicted = Math.max(this.lastEvicted, changed);
        if (this.records.size <= this.maxRecords && this.characters <= MAX_CHARACTERS) {
          return;
        }
      }
    }
  }
}
