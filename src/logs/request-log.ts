import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { REQUEST_FINISHED } from '../common/logging/human-line.js';
import { Clock } from '../common/time/clock.js';
import { FullTexts } from './full-texts.js';
import { LogJournal } from './journal/log-journal.js';
import { keptEntry } from './records/kept-entry.js';
import { type LogContent } from './records/log-content.js';
import {
  type RequestDetails,
  type RequestLogEntry,
  type RequestOperation,
  type RequestOutcome,
} from './records/request-log-entry.js';
import { besideTrace, toTraceparent, type TraceContext } from './records/trace-context.js';
import { type UpstreamRecording } from './records/upstream-recording.js';

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

/** Opens the log's entries of requests. Each is written to the process log as well, once it is finished. */
@Injectable()
export class RequestLog {
  private readonly logger = new Logger('RequestLog');

  constructor(
    private readonly journal: LogJournal,
    private readonly clock: Clock,
    private readonly fullTexts: FullTexts,
    private readonly settings: Settings,
  ) {}

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
