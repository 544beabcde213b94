import { Controller, Get, Query } from '@nestjs/common';
import { type PoolStats } from '../accounts/pool/pool-stats.js';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { type HeldState } from '../accounts/registry/account-states.js';
import { NodeList } from '../cluster/node-list.js';
import { Settings } from '../common/config/settings.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import { LogsService } from '../logs/logs.service.js';
import { type LogStats } from '../logs/store/log-store.js';
import { type AccountGlance, accountGlance } from './account-glance.js';
import { OverviewQueryDto } from './dto/overview-query.dto.js';
import { type NodeView, toNodeView } from './nodes/node-view.js';
import { OwnFigures } from './nodes/own-figures.js';
import { sumFigures } from './nodes/sum-figures.js';
import { overviewRange, type OverviewSeries, type OverviewTotals, toSeries, toTotals } from './overview.js';

interface Overview {
  /** Unix time in milliseconds. */
  readonly now: number;
  readonly totals: { readonly running: number } & OverviewTotals;
  readonly series: OverviewSeries;
  readonly pool: Omit<PoolStats, 'accounts'>;
  readonly accounts: Readonly<Record<HeldState, number>>;
  /** Those that this gateway knows. */
  readonly glance: AccountGlance;
  /** As `/dashboard/api/nodes` lists them; missing while the database is away. */
  readonly nodes: readonly NodeView[] | undefined;
  readonly log: LogStats;
  readonly provider: string;
  readonly version: string;
  readonly uptimeMs: number;
}

/**
 * What the overview page shows at each of its refreshes, of all gateways on one database; `log`, `version` and `uptimeMs`
 * are this one's.
 */
@NeedsRole('operator')
@Controller('dashboard/api/overview')
export class OverviewController {
  constructor(
    private readonly logs: LogsService,
    private readonly figures: OwnFigures,
    private readonly nodes: NodeList,
    private readonly registry: AccountRegistry,
    private readonly pool: SessionPool,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Get()
  async read(@Query() { minutes }: OverviewQueryDto): Promise<Overview> {
    const now = this.clock.now();
    const range = overviewRange(now, minutes);
    const [{ whole, buckets }, nodes] = await Promise.all([
      this.logs.series(range),
      // While the database is away, what this gateway knows is what can be shown.
      this.nodes.read().catch(() => undefined),
    ]);
    const own = this.figures.read();
    const { running, states, sessions, idle, leases, opening, waiting, capacity } = sumFigures(
      own,
      nodes ?? [],
      this.nodes.own,
    );
    return {
      now,
      totals: { running, ...toTotals(whole) },
      series: toSeries(buckets, range.bucketMs),
      pool: { sessions, idle, leases, opening, waiting, capacity },
      accounts: states,
      glance: this.glance(),
      nodes: nodes?.map(toNodeView),
      log: this.logs.stats(),
      provider: this.settings.PROVIDER,
      version: PROJECT_VERSION,
      uptimeMs: own.uptimeMs,
    };
  }

  private glance(): AccountGlance {
    const { accounts } = this.pool.stats();
    return accountGlance(this.registry.list(), accounts, this.clock.monotonic(), this.clock.now());
  }
}
