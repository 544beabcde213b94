import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SessionPool } from '../../accounts/pool/session-pool.js';
import { AccountRegistry } from '../../accounts/registry/account-registry.js';
import { countStates } from '../../accounts/registry/account-states.js';
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
    private readonly accounts: AccountRegistry,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.monotonic();
  }

  onModuleInit(): void {
    this.report.add(() => this.read());
  }

  read(): NodeFigures {
    const { sessions, idle, leases, opening, waiting, capacity } = this.pool.stats();
    const { node, lagMs } = this.logs;
    const now = this.clock.monotonic();
    return {
      logName: node,
      logLagMs: lagMs === undefined ? undefined : Math.round(lagMs),
      readiness: this.readiness.state(),
      uptimeMs: Math.round(now - this.startedAt),
      running: this.logs.runningCompletions(),
      waiting,
      leases,
      sessions,
      idle,
      opening,
      capacity,
      states: countStates(this.accounts.list(), now),
    };
  }
}
