import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SessionPool } from '../../accounts/pool/session-pool.js';
import { NodeReport } from '../../cluster/node-report.js';
import { Clock } from '../../common/time/clock.js';
import { ReadinessService } from '../../health/readiness.service.js';
import { LogsService } from '../../logs/logs.service.js';
import { type NodeFigures } from './node-view.js';

/** Adds to the node's report what the dashboards of all nodes show of it. */
@Injectable()
export class OwnFigures implements OnModuleInit {
  private readonly startedAt: number;

  constructor(
    private readonly report: NodeReport,
    private readonly readiness: ReadinessService,
    private readonly logs: LogsService,
    private readonly pool: SessionPool,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.monotonic();
  }

  onModuleInit(): void {
    this.report.add(() => this.figures());
  }

  private figures(): NodeFigures {
    const { leases, waiting } = this.pool.stats();
    const { node, lagMs } = this.logs;
    return {
      ...(node !== undefined && { logName: node }),
      ...(lagMs !== undefined && { logLagMs: Math.round(lagMs) }),
      readiness: this.readiness.state(),
      uptimeMs: Math.round(this.clock.monotonic() - this.startedAt),
      running: this.logs.runningCompletions(),
      waiting,
      leases,
    };
  }
}
