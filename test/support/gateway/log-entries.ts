import { type LogsService } from '../../../src/logs/logs.service.js';
import { type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';

/** Log entries of all requests since its construction, in their present state. */
export class LogEntries {
  private readonly entries = new Map<string, RequestLogEntry>();

  constructor(logs: LogsService) {
    logs.changes$.subscribe(({ record }) => {
      // Requests that began earlier are left out.
      if (record.kind === 'request' && (record.outcome === 'pending' || this.entries.has(record.id))) {
        this.entries.set(record.id, record);
      }
    });
  }

  /** The oldest first. */
  get all(): readonly RequestLogEntry[] {
    return [...this.entries.values()];
  }

  get newest(): RequestLogEntry | undefined {
    return this.all.at(-1);
  }

  of(id: string | null): RequestLogEntry | undefined {
    return this.entries.get(id ?? '');
  }
}
