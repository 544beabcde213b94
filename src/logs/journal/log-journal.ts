import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { map, merge, type Observable, Subject } from 'rxjs';
import { SharedChanges } from '../../cluster/shared-changes.js';
import { Settings } from '../../common/config/settings.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { Clock } from '../../common/time/clock.js';
import { type ExchangeBodies } from '../records/exchange-bodies.js';
import { type LogContent } from '../records/log-content.js';
import { DAY_US } from '../records/log-day.js';
import { type LogRecord } from '../records/log-filter.js';
import { type StoredRecord, textOf, toStoredRecord } from '../records/stored-record.js';
import { type UpstreamRecording } from '../records/upstream-recording.js';
import { type UsageQuery, type UsageRow } from '../records/usage.js';
import { SharedLog } from '../shared/shared-log.js';
import { type OtherRecord, withNode } from '../shared/shared-search.js';
import { type LogReader } from '../store/log-reader.js';
import { type LogStats, LogStore } from '../store/log-store.js';
import { type JournalEntry, keptRecord, type OpenEntry, OpenRecords, storedEntry } from './open-records.js';

/** Delay before an open record is stored as pending. Most records end earlier and are then stored only once. */
const PENDING_DELAY_MS = 100;
/** Entries that end within this window are stored as one batch, off the response path. */
const BATCH_WINDOW_MS = 10;

/** A record that began or ended. */
export interface LogChange {
  /** Position of the change among those of this process; those of other gateways stand between two of them. */
  readonly number: number;
  /** The cursor of `/log/stream`; undefined while none is known. */
  readonly cursor: number | undefined;
  readonly record: LogRecord;
  /** JSON of the record as it was at this change. Serialised once for all subscribers. */
  text(withTexts: boolean): string;
}

/** Handle of a record that has begun. */
export interface OpenRecord {
  /**
   * Call once, after the final fields have been set.
   * @param recording recording for a rerun of the request; called off the response path
   */
  end(recording?: () => UpstreamRecording | undefined): void;
}

interface EndedEntry extends JournalEntry {
  readonly recording: (() => UpstreamRecording | undefined) | undefined;
}

/**
 * The only way into the log. Numbers every record at its beginning and its end, hands both states to the store in
 * batches, and publishes them on `changes$`.
 */
@Injectable()
export class LogJournal implements OnModuleInit, OnApplicationShutdown {
  /** Changes of this gateway's log. */
  readonly changes$ = new Subject<LogChange>();
  /** Changes of all gateways' logs, where several have one. */
  readonly allChanges$: Observable<LogChange>;
  private readonly logger = new Logger('RequestLog');
  private readonly store: LogStore;
  private readonly shared: SharedLog | undefined;
  private latest = 0;
  private readonly open = new OpenRecords();
  private ended: EndedEntry[] = [];
  private batchTimer: NodeJS.Timeout | undefined;
  private pendingTimer: NodeJS.Timeout | undefined;
  private closing: Promise<void> | undefined;

  constructor(
    settings: Settings,
    private readonly clock: Clock,
    @Inject(PgDatabase) database?: PgDatabase,
    @Inject(SharedChanges) changes?: SharedChanges,
  ) {
    const warn = (details: object, message: string): void => this.logger.warn(details, message);
    this.store = new LogStore(settings, clock, warn);
    this.shared =
      settings.DATABASE_URL === undefined
        ? undefined
        : new SharedLog({
            store: this.store,
            url: settings.DATABASE_URL,
            settings,
            clock,
            warn,
            outage: database?.outage,
          });
    changes?.follow('log_followers', () => Promise.resolve(this.shared?.followed()));
    this.allChanges$ = this.shared
      ? merge(this.changes$, this.shared.others$.pipe(map((record) => this.changeElsewhere(record))))
      : this.changes$;
  }

  async onModuleInit(): Promise<void> {
    const latest = await this.store.open();
    if (latest > this.clock.now() * 1000 + DAY_US) {
      this.tellAhead(latest);
    }
    this.latest = Math.max(this.latest, latest);
    this.shared?.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Stores everything; may be called twice. */
  close(): Promise<void> {
    this.flush();
    this.closing ??= this.closeStores();
    return this.closing;
  }

  /** Hands everything up to now to the log of all gateways that have one. @returns that log */
  flush(): LogReader {
    this.settle();
    this.storePending(this.open.list());
    return this.shared ?? this.store;
  }

  /** See `LogsService.ownUsage`. */
  ownUsage(query: UsageQuery): Promise<readonly UsageRow[]> {
    this.flush();
    return this.store.usage(query);
  }

  /** Whether several gateways have one log, whose cursors are not the numbers of this process. */
  get isShared(): boolean {
    return this.shared !== undefined;
  }

  /** Name of this gateway in the log; undefined until its file is open. */
  get node(): string | undefined {
    return this.store.name;
  }

  /** Milliseconds for which this gateway's file has held what the shared log lacks; undefined without a shared log. */
  get lagMs(): number | undefined {
    return this.shared?.lagMs;
  }

  /** Number of the latest change. */
  get lastNumber(): number {
    return this.latest;
  }

  /** State of the store, and of the shared log unless the database is away as a whole; cheap, unlike `flush`. */
  stats(): LogStats {
    const stats = this.store.stats();
    return { ...stats, isHealthy: stats.isHealthy && this.shared?.hasFailed !== true };
  }

  /** Number of the records that have begun and not ended, and that a condition holds for. */
  countOpen(isCounted: (record: LogRecord) => boolean): number {
    return this.open.count(isCounted);
  }

  /**
   * @param record stays owned, and may be changed, by the caller until `end`
   * @param keeps extent to which its texts are kept
   * @param bodies bodies of an exchange as received so far; called off the response path
   */
  begin(record: LogRecord, keeps: LogContent, bodies?: () => ExchangeBodies): OpenRecord {
    const seq = this.nextNumber();
    const entry = this.open.add({ seq, record, keeps, bodies });
    this.pendingTimer ??= setTimeout(() => this.storeUnstored(), PENDING_DELAY_MS).unref();
    this.publish(seq, record, () => storedEntry({ seq, record, keeps }, seq));
    return { end: (recording) => this.end(entry, recording) };
  }

  /** Stores and publishes the current batch of ended records now. */
  settle(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    const { ended } = this;
    this.ended = [];
    for (const { recording, ...entry } of ended) {
      const recorded = recording?.() ?? null;
      const final = keptRecord(entry);
      const record = recorded && final.kind === 'request' ? { ...final, isRecorded: true as const } : final;
      // Drawn here and not at the end of the record, so that changes are published in the order of their numbers.
      const changed = this.nextNumber();
      const stored = {
        ...toStoredRecord(record, { seq: entry.seq, changed }, entry.bodies?.()),
        recording: recorded,
      };
      this.store.put(stored);
      this.publish(changed, record, () => stored);
    }
  }

  /** Which of the two times is wrong, nobody can tell but the operator: a machine may start before it knows the time. */
  private tellAhead(number: number): void {
    this.logger.warn(
      { event: 'log_ahead', latest: new Date(number / 1000).toISOString() },
      'the latest record of the log is more than a day ahead of the clock, and new ones are numbered after it; if the clock is ' +
        'right, stop the gateway and move logs.db away',
    );
  }

  private end(entry: OpenEntry, recording: (() => UpstreamRecording | undefined) | undefined): void {
    this.open.remove(entry);
    const { seq, record, keeps, bodies } = entry;
    this.ended.push({ seq, record, keeps, bodies, recording });
    this.batchTimer ??= setTimeout(() => this.settle(), BATCH_WINDOW_MS).unref();
  }

  private async closeStores(): Promise<void> {
    await this.shared?.close();
    await this.store.close();
  }

  private storeUnstored(): void {
    this.storePending(this.open.list().filter(({ isStored }) => !isStored));
  }

  /** Records that are still open go to the store as pending, so that a killed process leaves a trace of them. */
  private storePending(entries: readonly OpenEntry[]): void {
    clearTimeout(this.pendingTimer);
    this.pendingTimer = undefined;
    for (const entry of entries) {
      this.store.put(storedEntry(entry, entry.seq));
      entry.isStored = true;
    }
  }

  private publish(number: number, record: LogRecord, toStored: () => StoredRecord): void {
    if (!this.changes$.observed) {
      return;
    }
    let serialised: StoredRecord | undefined;
    this.changes$.next({
      number,
      cursor: this.shared ? this.shared.cursor : number,
      record,
      text: (withTexts) => this.named(textOf((serialised ??= toStored()), withTexts)),
    });
  }

  /** The text of a record, with the name of its gateway if several gateways have one log. */
  private named(text: string): string {
    const { node } = this;
    return this.shared && node !== undefined ? withNode(text, node) : text;
  }

  /** Followers who have seen all of this process's changes have not seen this one. */
  private changeElsewhere({ feed, brief, text }: OtherRecord): LogChange {
    return {
      number: this.latest + 0.5,
      cursor: feed,
      record: JSON.parse(brief) as LogRecord,
      text: (withTexts) => (withTexts ? text : brief),
    };
  }

  /** Strictly increasing across restarts, and never below the current time in microseconds. */
  private nextNumber(): number {
    this.latest = Math.max(this.latest + 1, Math.floor(this.clock.now() * 1000));
    return this.latest;
  }
}
