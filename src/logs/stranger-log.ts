import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { type ArrivedRequest, type OpenRequestLog, RequestLog } from './request-log.js';

/** Entries that may be opened in one go, and one more each second. */
const BURST = 100;
const PER_SECOND = 1;

/** Takes what is reported of a request that is only counted. */
const COUNTED_ONLY: Omit<OpenRequestLog, 'id' | 'further'> = {
  keeps: 'none',
  isRecorded: false,
  elapsedMs: () => 0,
  add: () => undefined,
  keepRecording: () => undefined,
  finish: () => undefined,
};

/**
 * The log of requests that will be refused on arrival: without a valid key, or from an address or page that is not
 * allowed. Anybody can send those, so all are counted, but only a sample has an entry; the store keeps them within a
 * share of their own. They count as no completions.
 */
@Injectable()
export class StrangerLog {
  private requests = 0;
  private allowance = BURST;
  private refilledAt: number;

  constructor(
    private readonly log: RequestLog,
    private readonly clock: Clock,
  ) {
    this.refilledAt = clock.monotonic();
  }

  /** Requests of strangers since the start. */
  get count(): number {
    return this.requests;
  }

  open(request: ArrivedRequest): OpenRequestLog {
    this.requests += 1;
    const now = this.clock.monotonic();
    this.allowance = Math.min(BURST, this.allowance + ((now - this.refilledAt) / 1000) * PER_SECOND);
    this.refilledAt = now;
    if (this.allowance < 1) {
      const log: OpenRequestLog = { id: request.id, ...COUNTED_ONLY, further: () => log };
      return log;
    }
    this.allowance -= 1;
    return this.log.open({ ...request, isStranger: true });
  }
}
