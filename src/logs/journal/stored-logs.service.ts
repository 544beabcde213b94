import { Injectable, Logger } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { Clock } from '../../common/time/clock.js';
import {
  type LogChange,
  type LogPage,
  LogsService,
  type LogStats,
  type OpenRequestLog,
  type RequestDetails,
} from '../logs.service.js';
import { isCompletion } from '../records/is-completion.js';
import { type LogFilter, type LogRecord } from '../records/log-filter.js';
import { type LogBucket, type SeriesRange } from '../records/log-series.js';
import { type NetworkRecord } from '../records/network-record.js';
import { type RequestLogEntry, type RequestOutcome } from '../records/request-log-entry.js';
import { LogJournal } from './log-journal.js';

const MAX_BUCKETS = 2000;

/** Reads from the store, after what is known by now has been handed over to it. */
@Injectable()
export class StoredLogsService extends LogsService {
  override readonly changes$: Observable<LogChange>;
  private readonly logger = new Logger('RequestLog');

  constructor(
    private readonly journal: LogJournal,
    private readonly clock: Clock,
  ) {
    super();
    this.changes$ = journal.changes$;
  }

  override open({
    id,
    method,
    path,
  }: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
  }): OpenRequestLog {
    const began = this.clock.monotonic();
    const elapsedMs = (): number => Math.round(this.clock.monotonic() - began);
    const startedAt = this.clock.now();
    const entry: RequestLogEntry = { kind: 'request', id, method, path, startedAt, outcome: 'pending' };
    const record = this.journal.begin(entry);
    return {
      id,
      elapsedMs,
      add: (details: RequestDetails) => {
        // An entry that is finished takes nothing more.
        if (entry.outcome === 'pending') {
          Object.assign(entry, details);
        }
      },
      finish: (outcome: RequestOutcome, details: RequestDetails = {}) => {
        if (entry.outcome === 'pending') {
          Object.assign(entry, details, { outcome, totalMs: elapsedMs() });
          record.end();
          this.report(entry);
        }
      },
    };
  }

  override runningCompletions(): number {
    return this.journal.underWay().filter((record) => record.kind === 'request' && isCompletion(record))
      .length;
  }

  override async query(filter: LogFilter): Promise<LogPage> {
    const { texts, next } = await this.journal.stored.page(filter, true);
    return { entries: texts.map((text) => JSON.parse(text) as LogRecord), next };
  }

  override async find(
    id: string,
  ): Promise<{ readonly entry: RequestLogEntry; readonly network: readonly NetworkRecord[] } | undefined> {
    const found = await this.journal.stored.find(id);
    return (
      found && {
        entry: JSON.parse(found.entry) as RequestLogEntry,
        network: found.network.map((text) => JSON.parse(text) as NetworkRecord),
      }
    );
  }

  override async series(range: SeriesRange): Promise<readonly LogBucket[]> {
    const { fromMs, toMs, bucketMs } = range;
    const isRange = Number.isFinite(fromMs) && Number.isFinite(toMs) && bucketMs > 0 && toMs >= fromMs;
    if (!isRange || (toMs - fromMs) / bucketMs > MAX_BUCKETS) {
      throw new RangeError(`A series has up to ${MAX_BUCKETS} buckets.`);
    }
    return this.journal.stored.series(range);
  }

  override settle(): void {
    this.journal.settle();
  }

  override stats(): LogStats {
    return this.journal.stored.stats();
  }

  /** The line of the process log: figures only, no texts. */
  private report(entry: RequestLogEntry): void {
    const { id, outcome, status, model, account, totalMs, attempts = [], error } = entry;
    const line = {
      id,
      outcome,
      status,
      model,
      account,
      totalMs,
      error,
      attempts: attempts.map((attempt) => attempt.outcome),
    };
    this.logger.log(line, 'request finished');
  }
}
