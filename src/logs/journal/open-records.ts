import { type ExchangeBodies } from '../records/exchange-bodies.js';
import { type LogRecord } from '../records/log-filter.js';

/** A record in the journal. */
export interface JournalEntry {
  readonly seq: number;
  readonly record: LogRecord;
  readonly bodies: (() => ExchangeBodies) | undefined;
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

  /** Oldest first. */
  list(): OpenEntry[] {
    return this.entries.toSorted((a, b) => a.seq - b.seq);
  }
}
