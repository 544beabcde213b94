import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { LogsService, type OpenRequestLog, type RequestDetails } from './logs.service.js';
import { type RequestLogEntry, type RequestOutcome } from './request-log-entry.js';

/** With content in preview an entry takes about 2 KiB. */
const CAPACITY = 1000;

/** Keeps the newest entries in memory, in the order in which their requests began. */
@Injectable()
export class MemoryLogsService extends LogsService {
  private readonly logger = new Logger('RequestLog');
  private readonly entries = new Map<string, RequestLogEntry>();

  constructor(private readonly clock: Clock) {
    super();
  }

  override open(request: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
  }): OpenRequestLog {
    const began = this.clock.monotonic();
    const elapsedMs = (): number => Math.round(this.clock.monotonic() - began);
    const entry: RequestLogEntry = {
      kind: 'request',
      ...request,
      startedAt: this.clock.now(),
      outcome: 'pending',
    };
    this.keep(entry);
    return {
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
          this.report(entry);
        }
      },
    };
  }

  override recent(limit: number): readonly RequestLogEntry[] {
    return [...this.entries.values()].reverse().slice(0, limit);
  }

  /** Pending entries stay, so that each gets its end; there are only as many as there are callers waiting. */
  private keep(entry: RequestLogEntry): void {
    this.entries.set(entry.id, entry);
    if (this.entries.size <= CAPACITY) {
      return;
    }
    for (const { id, outcome } of this.entries.values()) {
      if (outcome !== 'pending') {
        this.entries.delete(id);
        return;
      }
    }
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
