import { Controller, Get, Query } from '@nestjs/common';
import { NodeList } from '../../cluster/node-list.js';
import { Settings } from '../../common/config/settings.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { Clock } from '../../common/time/clock.js';
import { MINUTE_MS } from '../../common/time/durations.js';
import { LogsService } from '../../logs/logs.service.js';
import { type Breakdown } from '../../logs/records/breakdown.js';
import { OverviewQueryDto } from '../dto/overview-query.dto.js';
import { capacityAdvice } from './capacity-advice.js';
import { PoolHistory, type PoolMinute } from './pool-history.js';

interface Capacity {
  /** Advice on what to add, if any. */
  readonly advice: string;
  /** The pool of this gateway in each minute of the range; none from before the start. */
  readonly minutes: readonly PoolMinute[];
  /** Completions of the range by model, account, client and key, and the failed ones by reason. */
  readonly breakdown: Breakdown;
}

/** Whether the pool is large enough, and for what it is used. */
@NeedsRole('operator')
@Controller('dashboard/api/capacity')
export class CapacityController {
  constructor(
    private readonly history: PoolHistory,
    private readonly logs: LogsService,
    private readonly nodes: NodeList,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Get()
  async read(@Query() query: OverviewQueryDto): Promise<Capacity> {
    const toMs = this.clock.now();
    const fromMs = toMs - query.minutes * MINUTE_MS;
    const minutes = this.history.since(fromMs);
    const breakdown = await this.logs.breakdown({ fromMs, toMs });
    const limited = breakdown.rows.reason.find(({ name }) => name === 'rate_limited')?.requests ?? 0;
    const isSinceStart = (minutes[0]?.at ?? toMs) > fromMs;
    const gateway = this.nodes.ownName(this.logs.node);
    const longestWaitMs = waitWithin(minutes, breakdown);
    const pool = { minutes, limited, isSinceStart, longestWaitMs, gateway };
    const advice = capacityAdvice(pool, this.settings);
    return { advice, minutes, breakdown };
  }
}

/** The log may know of a longer one from before the start, when nobody looked at the pool. */
function waitWithin([first]: readonly PoolMinute[], { longestWait }: Breakdown): number | undefined {
  return first && longestWait && longestWait.startedAt >= first.at ? longestWait.queuedMs : undefined;
}
