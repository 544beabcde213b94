import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';

const TICK_MS = 500;
/** A tick that is later than this is a stall, not load. */
const STALL_MS = 2000;

/**
 * Notes in the process log when the event loop stood still: for as long nothing was read, written or timed out, which
 * otherwise shows only as unexplained silence in everything else. The cause is a suspended or starved process, or a bug.
 */
@Injectable()
export class LoopStallWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Health');
  private timer: NodeJS.Timeout | undefined;
  private tickedAt = 0;

  constructor(private readonly clock: Clock) {}

  onApplicationBootstrap(): void {
    this.tickedAt = this.clock.monotonic();
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = this.clock.monotonic();
    const stalledMs = Math.round(now - this.tickedAt - TICK_MS);
    this.tickedAt = now;
    if (stalledMs >= STALL_MS) {
      this.logger.warn({ event: 'loop_stall', stalledMs }, `the event loop stood still for ${stalledMs} ms`);
    }
  }
}
