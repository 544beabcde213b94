import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { DAY_MS } from '../../common/time/durations.js';
import { type LatestRequests, LogsService } from '../../logs/logs.service.js';
import { type LogFilter } from '../../logs/records/log-filter.js';
import { type ClientTraffic } from './client-finding.js';

const SPAN_MS = DAY_MS;
/** Most records of each kind, the latest: 1,100 in all, some 2 KB each. */
const MAX_FAILED = 500;
const MAX_ANSWERED = 300;
const MAX_OTHER = 100;

/** Reasons of requests that are no completions, or count as none. Each is read by itself: one of them may be a flood. */
const OTHER_REASONS = ['not_found', 'upgrade_required', 'invalid_api_key'] as const;

/** Reads what the findings are drawn from: a bounded part of the last 24 hours. */
@Injectable()
export class ClientTrafficReader {
  constructor(
    private readonly logs: LogsService,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<ClientTraffic> {
    const from = this.clock.now() - SPAN_MS;
    const latest = (filter: LogFilter): Promise<LatestRequests> => this.logs.latest({ from, ...filter });
    // One after the other: whoever reads the log meanwhile waits for one of them at most.
    const refused = await latest({ operation: 'completion', level: 'warn', limit: MAX_FAILED });
    const answered = await latest({ operation: 'completion', outcome: 'ok', limit: MAX_ANSWERED });
    const failed = [...refused.entries];
    for (const reason of OTHER_REASONS) {
      failed.push(...(await latest({ reason, limit: MAX_OTHER })).entries);
    }
    return {
      // Of one millisecond, the newer were read first.
      failed: failed.toReversed().toSorted((a, b) => a.startedAt - b.startedAt),
      answered: answered.entries.toReversed(),
      answeredSince: answered.isComplete ? from : (answered.entries.at(-1)?.startedAt ?? Infinity),
    };
  }
}
