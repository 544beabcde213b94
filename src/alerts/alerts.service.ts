import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { Settings } from '../common/config/settings.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { Clock } from '../common/time/clock.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { type Alert, alertsOf, ALL_WELL, type WatchedState } from './alert-state.js';
import { Webhook } from './webhook.js';

/** Between two looks: what is wrong for a shorter time mends itself. */
const INTERVAL_MS = 5000;

/** Tells a webhook of what the operator should know, at its beginning and at its end. */
@Injectable()
export class AlertsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Alerts');
  private readonly webhook: Webhook;
  private told: WatchedState = ALL_WELL;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly readiness: ReadinessService,
    private readonly accounts: AccountRegistry,
    private readonly logs: LogsService,
    private readonly clock: Clock,
  ) {
    this.webhook = new Webhook((error) =>
      this.logger.warn({ event: 'alert_lost', err: error }, 'an alert could not be delivered'),
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  /** A shutdown is nobody's alarm: what supervises the process knows of it. */
  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.webhook.close();
  }

  /** Compares the present state with the one that was told last. */
  look(): void {
    const { ALERT_WEBHOOK } = this.settings;
    const now = this.state();
    const alerts = ALERT_WEBHOOK === undefined ? [] : alertsOf(this.told, now);
    this.told = now;
    for (const alert of alerts) {
      this.logger.warn({ event: 'alert', alert: alert.event }, alert.text);
      this.webhook.send(ALERT_WEBHOOK ?? '', this.bodyOf(alert));
    }
  }

  private bodyOf(alert: Alert): object {
    const at = new Date(this.clock.now()).toISOString();
    return { ...alert, at, gateway: { version: PROJECT_VERSION, provider: this.settings.PROVIDER } };
  }

  private state(): WatchedState {
    const accounts = this.accounts.list().filter(({ isEnabled, loginFailure }) => isEnabled && loginFailure);
    return {
      readiness: this.readiness.state(),
      detail: this.readiness.detail(),
      accountsOut: accounts.map(({ name }) => name),
      isLogHealthy: this.logs.stats().isHealthy,
    };
  }
}
