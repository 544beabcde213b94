import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { filter, map, type Observable } from 'rxjs';
import { type LogChange, LogJournal } from './journal/log-journal.js';
import { type Breakdown } from './records/breakdown.js';
import { type LogFilter } from './records/log-filter.js';
import { type LogSeries, type SeriesRange } from './records/log-series.js';
import { type NetworkRecord } from './records/network-record.js';
import { type RequestLogEntry } from './records/request-log-entry.js';
import { type UsageQuery, type UsageRow } from './records/usage.js';
import { type LogStats } from './store/log-store.js';

/** Entries, some 10 µs each, after which requests have their turn. */
const PARSED_IN_ONE_GO = 100;

/** A request with its exchanges, oldest first. */
export interface LoggedRequest {
  readonly entry: RequestLogEntry;
  readonly network: readonly NetworkRecord[];
}

/** The latest requests of a filter. */
export interface LatestRequests {
  /** Newest first. */
  readonly entries: readonly RequestLogEntry[];
  /** False if there may be older ones: the search was full, or took too long. */
  readonly isComplete: boolean;
}

/**
 * Reads the log for the rest of the gateway; `RequestLog` writes it. Reads include everything up to the moment of the call,
 * stored or not.
 */
@Injectable()
export class LogsService {
  /** Every record at its beginning, and again within 10 ms of its end. */
  readonly changes$: Observable<LogChange>;
  /** The entry of every completion at its end. */
  readonly endedCompletions$: Observable<RequestLogEntry>;

  constructor(private readonly journal: LogJournal) {
    this.changes$ = journal.changes$;
    this.endedCompletions$ = this.changes$.pipe(
      map(({ record }) => record),
      filter((record) => record.kind === 'request'),
      filter(({ operation, outcome }) => operation === 'completion' && outcome !== 'pending'),
    );
  }

  /** Name of this gateway in a log of several; undefined while the log is not open. */
  get node(): string | undefined {
    return this.journal.node;
  }

  /** Milliseconds by which the shared log is behind this gateway's; undefined without a shared log. */
  get lagMs(): number | undefined {
    return this.journal.lagMs;
  }

  /** Number of running completions. */
  runningCompletions(): number {
    return this.journal.countOpen((record) => record.kind === 'request' && record.operation === 'completion');
  }

  /** The request with this id; undefined if there is none. */
  async find(id: string): Promise<LoggedRequest | undefined> {
    const found = await this.journal.flush().find(id);
    return (
      found && {
        entry: JSON.parse(found.entry) as RequestLogEntry,
        network: found.network.map((text) => JSON.parse(text) as NetworkRecord),
      }
    );
  }

  /** The latest requests of a filter without their texts. */
  async latest(filter: LogFilter): Promise<LatestRequests> {
    const { texts, next } = await this.journal.flush().page({ ...filter, kind: 'request', withTexts: false });
    const entries: RequestLogEntry[] = [];
    for (const [index, text] of texts.entries()) {
      if (index % PARSED_IN_ONE_GO === PARSED_IN_ONE_GO - 1) {
        await setImmediate();
      }
      entries.push(JSON.parse(text) as RequestLogEntry);
    }
    return { entries, isComplete: next === null };
  }

  /** Figures of the completions that began in the range. */
  series(range: SeriesRange): Promise<LogSeries> {
    return this.journal.flush().series(range);
  }

  /** Daily usage, every ended completion included. @throws WorkerCallError if it cannot be read */
  usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    return this.journal.flush().usage(query);
  }

  /** As `usage`, as far as this gateway's own file has counted it. @throws WorkerCallError if it cannot be read */
  ownUsage(query: UsageQuery): Promise<readonly UsageRow[]> {
    return this.journal.ownUsage(query);
  }

  /** Figures of the completions of a range, in Unix milliseconds, by model, account, client and key. */
  breakdown(range: { readonly fromMs: number; readonly toMs: number }): Promise<Breakdown> {
    return this.journal.flush().breakdown(range);
  }

  /** JSON of what the upstream sent for a request; undefined if it is not kept. */
  recording(id: string): Promise<string | undefined> {
    return this.journal.flush().recording(id);
  }

  /** Stores everything at once: for an end of the process that waits for nothing else. */
  close(): Promise<void> {
    return this.journal.close();
  }

  stats(): LogStats {
    return this.journal.stats();
  }

  /** Emits the pending batch of ended records on `changes$` now. */
  settle(): void {
    this.journal.settle();
  }
}
