import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { type LogChange } from '../logs.service.js';
import { type ExchangeBodies } from '../records/exchange-bodies.js';
import { type LogRecord } from '../records/log-filter.js';
import { type StoredRecord, textOf, toStoredRecord } from '../records/stored-record.js';
import { LogStore } from '../store/log-store.js';

/** A record that is shown as under way may wait this long for the store, in case it ends at once. */
const BEGIN_MS = 100;
/** Those that end within so long are written down together, while no answer waits for it. */
const END_MS = 10;

/** A change with the JSON of the record as it was then, made once for all who want it. */
export interface WrittenChange extends LogChange {
  text(withTexts: boolean): string;
}

/** A record under way. */
export interface OpenRecord {
  /** To be called once, after the record has got its end. */
  end(): void;
}

interface Begun {
  readonly record: LogRecord;
  readonly bodies: (() => ExchangeBodies) | undefined;
}

/** A record that has ended, and is about to be written down. */
interface Ended extends Begun {
  readonly seq: number;
}

/** Takes records when they begin and when they end: to the store, and to whoever follows them. */
@Injectable()
export class LogJournal implements OnModuleInit, OnApplicationShutdown {
  readonly changes$ = new Subject<WrittenChange>();
  private readonly store: LogStore;
  private lastNumber = 0;
  /** Begun and not ended. */
  private readonly open = new Map<number, Begun>();
  /** Those of them that the store has not got yet. */
  private fresh: number[] = [];
  private ended: Ended[] = [];
  private endTimer: NodeJS.Timeout | undefined;
  private freshTimer: NodeJS.Timeout | undefined;

  constructor(
    settings: Settings,
    private readonly clock: Clock,
  ) {
    const logger = new Logger('RequestLog');
    this.store = new LogStore(settings, clock, (details, message) => logger.warn(details, message));
  }

  async onModuleInit(): Promise<void> {
    this.lastNumber = Math.max(this.lastNumber, await this.store.open());
  }

  async onApplicationShutdown(): Promise<void> {
    this.settle();
    this.handOver(this.open.keys());
    await this.store.close();
  }

  /** The store, with all that is known by now. */
  get stored(): LogStore {
    this.settle();
    this.handOver(this.open.keys());
    return this.store;
  }

  /** The number of the last change. */
  get position(): number {
    return this.lastNumber;
  }

  /** What has begun and not ended, the oldest first. */
  underWay(): LogRecord[] {
    return [...this.open.values()].map(({ record }) => record);
  }

  /**
   * @param record is changed by its owner until `end`
   * @param bodies of an exchange as far as they are known; called when no answer waits for it
   */
  begin(record: LogRecord, bodies?: () => ExchangeBodies): OpenRecord {
    const seq = this.nextNumber();
    const begun = { record, bodies };
    this.open.set(seq, begun);
    this.fresh.push(seq);
    this.freshTimer ??= setTimeout(() => this.handOver(this.fresh), BEGIN_MS).unref();
    this.announce(seq, record, undefined);
    return { end: () => this.end(seq, begun) };
  }

  /** Writes down what has ended by now. */
  settle(): void {
    clearTimeout(this.endTimer);
    this.endTimer = undefined;
    const { ended } = this;
    this.ended = [];
    for (const { seq, record, bodies } of ended) {
      // Drawn here, so that changes are announced in the order of their numbers.
      const changed = this.nextNumber();
      const stored = toStoredRecord(record, { seq, changed }, bodies?.());
      this.store.put(stored);
      this.announce(changed, record, stored);
    }
  }

  private end(seq: number, { record, bodies }: Begun): void {
    this.open.delete(seq);
    this.ended.push({ seq, record, bodies });
    this.endTimer ??= setTimeout(() => this.settle(), END_MS).unref();
  }

  /** What has not ended meanwhile is stored as pending, to be found if the process dies. */
  private handOver(seqs: Iterable<number>): void {
    clearTimeout(this.freshTimer);
    this.freshTimer = undefined;
    for (const seq of seqs) {
      const begun = this.open.get(seq);
      if (begun) {
        this.store.put(toStoredRecord(begun.record, { seq, changed: seq }, begun.bodies?.()));
      }
    }
    this.fresh = [];
  }

  private announce(number: number, record: LogRecord, stored: StoredRecord | undefined): void {
    if (!this.changes$.observed) {
      return;
    }
    let written = stored;
    this.changes$.next({
      number,
      record,
      text: (withTexts) =>
        textOf((written ??= toStoredRecord(record, { seq: number, changed: number })), withTexts),
    });
  }

  /** Above all earlier ones, those of earlier processes too, and never below the time in microseconds. */
  private nextNumber(): number {
    this.lastNumber = Math.max(this.lastNumber + 1, Math.floor(this.clock.now() * 1000));
    return this.lastNumber;
  }
}
