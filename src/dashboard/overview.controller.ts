import { Controller, Get, Query } from '@nestjs/common';
import { poolCapacity } from '../accounts/pool/pool-capacity.js';
import { type PoolStats } from '../accounts/pool/pool-stats.js';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { type HeldState } from '../accounts/registry/account-states.js';
import { countStates } from '../accounts/registry/account-states.js';
import { Settings } from '../common/config/settings.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import { LogsService } from '../logs/logs.service.js';
import { type LogStats } from '../logs/store/log-store.js';
import { OverviewQueryDto } from './dto/overview-query.dto.js';
import { overviewRange, type OverviewSeries, type OverviewTotals, toSeries, toTotals } from './overview.js';

interface Overview {
  /** Unix time in milliseconds. */
  readonly now: number;
  readonly totals: { readonly running: number } & OverviewTotals;
  readonly series: OverviewSeries;
  /** `capacity`: most sessions that the accounts which are ready may have. */
  readonly pool: Omit<PoolStats, 'accounts'> & { readonly capacity: number };
  readonly accounts: Readonly<Record<HeldState, number>>;
  readonly log: LogStats;
  readonly provider: string;
  readonly version: string;
  readonly uptimeMs: number;
}

/** Figures of the overview page. */
@NeedsRole('operator')
@Controller('dashboard/api/overview')
export class OverviewController {
  private readonly startedAt: number;

  constructor(
    private readonly logs: LogsService,
    private readonly accounts: AccountRegistry,
    private readonly pool: SessionPool,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.monotonic();
  }

  @Get()
  async read(@Query() { minutes }: OverviewQueryDto): Promise<Overview> {
    const now = this.clock.now();
    const range = overviewRange(now, minutes);
    const { whole, buckets } = await this.logs.series(range);
    const { sessions, idle, leases, opening, waiting } = this.pool.stats();
    const accounts = this.accounts.list();
    const monotonic = this.clock.monotonic();
    const capacity = poolCapacity(accounts, this.settings, monotonic);
    return {
      now,
      totals: { running: this.logs.runningCompletions(), ...toTotals(whole) },
      series: toSeries(buckets, range.bucketMs),
      pool: { sessions, idle, leases, opening, waiting, capacity },
      accounts: countStates(accounts, monotonic),
      log: this.logs.stats(),
      provider: this.settings.PROVIDER,
      version: PROJECT_VERSION,
      uptimeMs: Math.round(monotonic - this.startedAt),
    };
  }
}
