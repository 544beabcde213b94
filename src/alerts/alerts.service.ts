import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NodeList } from '../cluster/node-list.js';
import { Settings } from '../common/config/settings.js';
import { messageWithCauses } from '../common/errors/message-with-causes.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { Clock } from '../common/time/clock.js';
import { LogsService } from '../logs/logs.service.js';
import { afterAlert, type Alert, alertsOf, confirmed, type WatchedState } from './alert-state.js';
import { GatewayWatch } from './gateway-watch.js';
import { ReportedState } from './reported-state.js';
import { Webhook } from './webhook.js';

/** Milliseconds between two looks. A state counts once two in a row have found it: shorter faults mend themselves. */
const INTERVAL_MS = 5000;

/** Tells a webhook of what the operator should know, at its beginning and at its end. */
@Injectable()
export class AlertsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Alerts');
  private readonly webhook: Webhook;
  private readonly memory: ReportedState;
  /** What the receiver should know. */
  private reported: WatchedState;
  /** What it does know: alerts under way, or lost, are not in it. */
  private delivered: WatchedState;
  private isDelivering = false;
  /** Whether the last delivery was given up, which the log says once. */
  private isLosing = false;
  private seen: WatchedState;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly watch: GatewayWatch,
    private readonly clock: Clock,
    private readonly nodes: NodeList,
    private readonly logs: LogsService,
  ) {
    this.memory = new ReportedState(join(settings.DATA_DIR, 'alerts.json'));
    this.reported = this.memory.read();
    this.delivered = this.reported;
    this.seen = this.reported;
    this.webhook = new Webhook(settings, (error) => this.lose(error));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.webhook.close();
  }

  /** Compares the present state with those of the last look and of the last alert. */
  look(): void {
    const { ALERT_WEBHOOK } = this.settings;
    if (ALERT_WEBHOOK === undefined) {
      return;
    }
    const seen = this.watch.look(this.reported);
    // Nobody's alarm: what supervises the process knows of it.
    if (seen.readiness === 'shutting_down') {
      return;
    }
    const now = confirmed(this.reported, this.seen, seen);
    this.seen = seen;
    const alerts = alertsOf(this.reported, now);
    this.reported = now;
    for (const alert of alerts) {
      this.logger.warn({ event: 'alert', alert: alert.event }, alert.text);
    }
    void this.deliver(ALERT_WEBHOOK);
  }

  /**
   * Sends what the receiver does not know yet, one alert after another. What is lost is left to the next look: it is sent
   * again while it lasts, and what has ended meanwhile needs no alert.
   */
  private async deliver(webhook: string): Promise<void> {
    if (this.isDelivering) {
      return;
    }
    this.isDelivering = true;
    let alert: Alert | undefined;
    do {
      [alert] = alertsOf(this.delivered, this.reported);
    } while (alert && (await this.tell(webhook, alert)));
    this.isDelivering = false;
  }

  private async tell(webhook: string, alert: Alert): Promise<boolean> {
    if (!(await this.webhook.send(webhook, this.bodyOf(alert)))) {
      return false;
    }
    this.isLosing = false;
    this.delivered = afterAlert(this.delivered, alert);
    try {
      this.memory.write(this.delivered);
    } catch (error) {
      // E.g. on a full disk, which the alert itself reports.
      this.logger.warn(
        { event: 'alert_not_kept', err: error },
        'the reported state cannot be kept over a restart',
      );
    }
    return true;
  }

  private lose(error: Error): void {
    if (!this.isLosing) {
      this.logger.warn(
        { event: 'alert_lost', detail: messageWithCauses(error) },
        'an alert could not be delivered; it is sent again while it lasts',
      );
    }
    this.isLosing = true;
  }

  private bodyOf(alert: Alert): object {
    const at = new Date(this.clock.now()).toISOString();
    const node = this.nodes.ownName(this.logs.node);
    const gateway = { version: PROJECT_VERSION, provider: this.settings.PROVIDER, ...(node && { node }) };
    // Some receivers show the text alone.
    return { ...alert, text: node ? `${node}: ${alert.text}` : alert.text, at, gateway };
  }
}
