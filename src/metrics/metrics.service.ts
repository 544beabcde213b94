import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { type Subscription } from 'rxjs';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { AccountHealth } from '../accounts/registry/account-health.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { countStates } from '../accounts/registry/account-states.js';
import { Settings } from '../common/config/settings.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { Clock } from '../common/time/clock.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { StrangerLog } from '../logs/stranger-log.js';
import { ModelCatalog } from '../models/model-catalog.js';
import { addGauges, addInfo } from './gateway-gauges.js';
import { processMetrics } from './process-metrics.js';
import { RequestMetrics } from './request-metrics.js';

/** The gateway's metrics for Prometheus. Requests are counted from the changes of the log, at their end. */
@Injectable()
export class MetricsService implements OnApplicationShutdown {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly subscription: Subscription;

  constructor(
    private readonly logs: LogsService,
    strangers: StrangerLog,
    pool: SessionPool,
    accounts: AccountRegistry,
    health: AccountHealth,
    models: ModelCatalog,
    readiness: ReadinessService,
    settings: Settings,
    clock: Clock,
  ) {
    const requests = new RequestMetrics(this.registry, (id) => models.has(id));
    addGauges(this.registry, {
      readiness: () => readiness.state(),
      lostBrowsers: () => readiness.partialOutages().length,
      running: () => logs.runningCompletions(),
      pool: () => pool.stats(),
      accounts: () => countStates(accounts.list(), clock.monotonic()),
      accountCounts: () => accounts.list().map(({ name, ownCounts }) => ({ name, ...ownCounts })),
      sessionsOpened: () => health.sessionsOpened,
      loginFailures: () => health.loginFailures,
      log: () => logs.stats(),
      strangers: () => strangers.count,
    });
    addInfo(this.registry, { version: PROJECT_VERSION, provider: settings.PROVIDER });
    this.subscription = logs.endedCompletions$.subscribe((entry) => requests.count(entry));
  }

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    const ofProcess = await processMetrics();
    this.logs.settle();
    return Registry.merge([this.registry, ofProcess]).metrics();
  }

  onApplicationShutdown(): void {
    this.subscription.unsubscribe();
  }
}
