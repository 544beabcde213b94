import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { UpstreamBreaker } from './failures/upstream-breaker.js';

/** Whether the upstream answers, as the circuit breakers have seen it. */
@Injectable()
export class UpstreamStatus {
  constructor(
    private readonly breaker: UpstreamBreaker,
    private readonly clock: Clock,
  ) {}

  /** Milliseconds for which requests are refused since the upstream keeps failing; undefined while they are not. */
  get refusesForMs(): number | undefined {
    const waitMs = this.breaker.refusesForMs(this.clock.monotonic());
    return waitMs === undefined ? undefined : Math.ceil(waitMs);
  }

  /** Milliseconds for which the upstream has been seen to fail, trials between refusals included; undefined while it serves. */
  get failedForMs(): number | undefined {
    return this.breaker.failedForMs(this.clock.monotonic());
  }

  /** Whether it fails at one conversation only, as far as is known, which is refused alone. */
  get failsAtOneConversation(): boolean {
    return this.breaker.isOfOneConversation;
  }

  /** Whether the upstream has answered this process. */
  get hasServed(): boolean {
    return this.breaker.hasServed;
  }
}
