import { Controller, Get, type OnModuleInit } from '@nestjs/common';
import { SessionPool } from '../../accounts/pool/session-pool.js';
import { NodeList } from '../../cluster/node-list.js';
import { NodeReport } from '../../cluster/node-report.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { Clock } from '../../common/time/clock.js';
import { ReadinessService } from '../../health/readiness.service.js';
import { LogsService } from '../../logs/logs.service.js';
import { type NodeFigures, type NodeView, toNodeView } from './node-view.js';

/** The gateways on one database, and what this one tells the others of itself. */
@NeedsRole('operator')
@Controller('dashboard/api/nodes')
export class NodesController implements OnModuleInit {
  private readonly startedAt: number;

  constructor(
    private readonly nodes: NodeList,
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

  /** All nodes by name; none without `DATABASE_URL`. */
  @Get()
  async list(): Promise<{ readonly nodes: readonly NodeView[] }> {
    return { nodes: (await this.nodes.read()).map(toNodeView) };
  }

  private figures(): NodeFigures {
    const { leases, waiting } = this.pool.stats();
    const { node } = this.logs;
    return {
      ...(node !== undefined && { logName: node }),
      readiness: this.readiness.state(),
      uptimeMs: Math.round(this.clock.monotonic() - this.startedAt),
      running: this.logs.runningCompletions(),
      waiting,
      leases,
    };
  }
}
