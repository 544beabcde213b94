import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { filter, map, type Observable } from 'rxjs';
import { Settings } from '../common/config/settings.js';
import { REQUEST_FINISHED } from '../common/logging/human-line.js';
import { Clock } from '../common/time/clock.js';
import { FullTexts } from './full-texts.js';
import { type LogChange, LogJournal } from './journal/log-journal.js';
import { type Breakdown } from './records/breakdown.js';
import { keptEntry } from './records/kept-entry.js';
import { type LogContent } from './records/log-content.js';
import { type LogFilter } from './records/log-filter.js';
import { type LogSeries, type SeriesRange } from './records/log-series.js';
import { type NetworkRecord } from './records/network-record.js';
import {
  type RequestDetails,
  type RequestLogEntry,
  type RequestOperation,
  type RequestOutcome,
} from './records/request-log-entry.js';
import { besideTrace, toTraceparent, type TraceContext } from './records/trace-context.js';
import { type UpstreamRecording } from './records/upstream-recording.js';
import { type UsageQuery, type UsageRow } from './records/usage.js';
import { type LogStats } from './store/log-store.js';

/** Entries, some 10 µs each, after which requests have their turn. */
const PARSED_IN_ONE_GO = 100;

/** A request at its arrival. */
export interface ArrivedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation?: RequestOperation;
  /** Name of the caller's key. */
  readonly key?: string;
  /** See `RequestLogEntry`. */
  readonly isStranger?: true;
  /** See `RequestLogEntry`. */
  readonly trace?: TraceContext;
}

/** The entry of a running request. */
export interface OpenRequestLog {
  /** Id of the request. */
  readonly id: string;
  /** Extent to which its texts are kept. */
  readonly keeps: LogContent;
  /** Whether what the upstream sends is to be noted, to be run again. */
  readonly isRecorded: boolean;
  /** Header `traceparent` for the upstream. */
  readonly traceparent?: string;
  /** Whole milliseconds since the request began. */
  elapsedMs(this: void): number;
  /** Merges details into the entry; ignored once it is finished. */
  add(details: RequestDetails): void;
  /** Hands over what was noted; kept if `RECORD_UPSTREAM` asks for it once the request has ended. */
  keepRecording(recording: NotedCompletion): void;
  /** Closes the entry; later calls are ignored. */
  finish(outcome: RequestOutcome, details?: RequestDetails): void;
  /** Opens the entry of a further completion of the same request. @param number its own, from 2, behind the id */
  further(number: number): OpenRequestLog;
}

/** A recorded completion, to be run again. */
export interface NotedCompletion {
  /** Whether an answer had to be corrected. */
  readonly hadFault: boolean;
  /** Called at most once, off the response path. Undefined if nothing can be kept. */
  make(this: void, settings: Settings): UpstreamRecording | undefined;
}

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
 * The log for the rest of the gateway: opens entries and reads records back. Reads include everything up to the moment of
 * the call, stored or not.
 */
@Injectable()
export class LogsService {
  /** Every record at its beginning, and again within 10 ms of its end. */
  readonly changes$: Observable<LogChange>;
  /** The entry of every completion at its end. */
  readonly endedCompletions$: Observable<RequestLogEntry>;
  private readonly logger = new Logger('RequestLog');

  constructor(
    private readonly journal: LogJournal,
    private readonly clock: Clock,
    private readonly fullTexts: FullTexts,
    private readonly settings: Settings,
  ) {
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

  /** Milliseconds by which the log of several gateways is behind this one's; undefined where there is none. */
  get lagMs(): number | undefined {
    return this.journal.lagMs;
  }

  open(request: ArrivedRequest): OpenRequestLog {
    const began = this.clock.monotonic();
    const elapsedMs = (): number => Math.round(this.clock.monotonic() - began);
    const startedAt = this.clock.now();
    const entry: RequestLogEntry = { kind: 'request', ...request, startedAt, outcome: 'pending' };
    const keeps = this.fullTexts.mode;
    const record = this.journal.begin(entry, keeps);
    let noted: NotedCompletion | undefined;
    return {
      id: request.id,
      traceparent: request.trace && toTraceparent(request.trace),
      keeps,
      isRecorded: this.settings.RECORD_UPSTREAM !== 'off' && keeps !== 'none',
      elapsedMs,
      add: (details: RequestDetails) => {
        if (entry.outcome === 'pending') {
          Object.assign(entry, details);
        }
      },
      keepRecording: (recording) => (noted = recording),
      finish: (outcome: RequestOutcome, details: RequestDetails = {}) => {
        if (entry.outcome === 'pending') {
          Object.assign(entry, details, { outcome, totalMs: elapsedMs() });
          record.end(noted && this.recordingFor(outcome, noted));
          this.report(entry, keeps);
        }
      },
      further: (number) => {
        const log = this.open(furtherRequest(request, number));
        // Its body was read, and so its model is known, before it began.
        log.add({ receivedMs: 0 });
        return log;
      },
    };
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

  /** Nothing for a cancelled request: there is no failure to explain. */
  private recordingFor(
    outcome: RequestOutcome,
    { hadFault, make }: NotedCompletion,
  ): (() => UpstreamRecording | undefined) | undefined {
    const isWanted = this.settings.RECORD_UPSTREAM === 'all' || outcome !== 'ok' || hadFault;
    return isWanted && outcome !== 'cancelled' ? () => make(this.settings) : undefined;
  }

  /** One line in the process log: figures, and why the request failed as far as texts are kept. */
  private report(entry: RequestLogEntry, keeps: LogContent): void {
    const {
      id,
      key,
      outcome,
      status,
      model,
      account,
      totalMs,
      attempts = [],
      error,
    } = keptEntry(entry, keeps);
    const line = {
      id,
      // A field named `key` is redacted.
      caller: key,
      outcome,
      status,
      model,
      account,
      totalMs,
      error: error && keeps === 'none' ? { code: error.code, reason: error.reason } : error,
      attempts: attempts.map((attempt) => attempt.outcome),
    };
    this.logger.log(line, REQUEST_FINISHED);
  }
}

/** As another request by its id, and by its span where it has one. */
function furtherRequest(request: ArrivedRequest, number: number): ArrivedRequest {
  const { id, trace } = request;
  return { ...request, id: `${id}-${number}`, trace: trace && besideTrace(trace) };
}
