import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Subscription } from 'rxjs';
import { UpstreamStatus } from '../accounts/dispatch/upstream-status.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { NodeList } from '../cluster/node-list.js';
import { Settings } from '../common/config/settings.js';
import { messageWithCauses } from '../common/errors/message-with-causes.js';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { Clock } from '../common/time/clock.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { UpstreamModels } from '../models/upstream-models.js';
import { afterAlert, type Alert, alertsOf, confirmed, type WatchedState } from './alert-state.js';
import { LimitWatch } from './limit-watch.js';
import { accountsOut, standsBy } from './reported-accounts.js';
import { ToldState } from './told-state.js';
import { Webhook } from './webhook.js';

/** Milliseconds between two looks. A state counts once two in a row have found it: shorter faults mend themselves. */
const INTERVAL_MS = 5000;

const UPSTREAM_DOWN = 'upstream_down';
const UPSTREAM_UNREACHABLE = 'upstream_unreachable';
const RATE_LIMITED = 'rate_limited';
/** A shorter failure of the upstream mends itself; the circuit breaker tries a request every ten seconds. */
const UPSTREAM_DOWN_MS = 60_000;
/** Far longer than a cooldown, which ends by itself. */
const LIMITED_MS = 600_000;

/** Tells a webhook of what the operator should know, at its beginning and at its end. */
@Injectable()
export class AlertsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Alerts');
  private readonly webhook: Webhook;
  private readonly memory: ToldState;
  /** What the receiver should know. */
  private told: WatchedState;
  /** What it does know: alerts under way, or lost, are not in it. */
  private delivered: WatchedState;
  private readonly limits = new LimitWatch();
  private readonly subscription: Subscription;
  private isDelivering = false;
  /** Whether the last delivery was given up, which the log says once. */
  private isLosing = false;
  private seen: WatchedState;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly readiness: ReadinessService,
    private readonly accounts: AccountRegistry,
    private readonly logs: LogsService,
    private readonly clock: Clock,
    private readonly nodes: NodeList,
    private readonly upstream: UpstreamStatus,
    private readonly models: UpstreamModels,
  ) {
    this.memory = new ToldState(join(settings.DATA_DIR, 'alerts.json'));
    this.told = this.memory.read();
    this.delivered = this.told;
    this.seen = this.told;
    this.subscription = logs.endedCompletions$.subscribe((entry) =>
      this.limits.count(entry, clock.monotonic()),
    );
    this.webhook = new Webhook(settings, (error) => this.lose(error));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.subscription.unsubscribe();
    this.webhook.close();
  }

  /** Compares the present state with those of the last look and of the last alert. */
  look(): void {
    const { ALERT_WEBHOOK } = this.settings;
    // A shutdown is nobody's alarm: what supervises the process knows of it.
    if (ALERT_WEBHOOK === undefined || this.readiness.state() === 'shutting_down') {
      return;
    }
    const seen = this.state();
    const now = confirmed(this.told, this.seen, seen);
    this.seen = seen;
    const alerts = alertsOf(this.told, now);
    this.told = now;
    for (const alert of alerts) {
      this.logger.warn({ event: 'alert', alert: alert.event }, alert.text);
    }
    void this.deliver(ALERT_WEBHOOK);
  }

  /**
   * Sends what the receiver does not know yet, one alert after another. What is lost is left to the next look: it is sent
   * again while it lasts, and of what has ended meanwhile nothing has to be told.
   */
  private async deliver(webhook: string): Promise<void> {
    if (this.isDelivering) {
      return;
    }
    this.isDelivering = true;
    let alert: Alert | undefined;
    do {
      [alert] = alertsOf(this.delivered, this.told);
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
      // On a full disk, say, of which the alert itself tells.
      this.logger.warn(
        { event: 'alert_not_kept', err: error },
        'what was told cannot be kept over a restart',
      );
    }
    return true;
  }

  private lose(error: Error): void {
    if (!this.isLosing) {
      this.logger.warn(
        { event: 'alert_lost', reason: messageWithCauses(error) },
        'an alert could not be delivered; it is sent again while it lasts',
      );
    }
    this.isLosing = true;
  }

  private bodyOf(alert: Alert): object {
    const at = new Date(this.clock.now()).toISOString();
    const { own: node } = this.nodes;
    const gateway = { version: PROJECT_VERSION, provider: this.settings.PROVIDER, ...(node && { node }) };
    // Some receivers show the text alone.
    return { ...alert, text: node ? `${node}: ${alert.text}` : alert.text, at, gateway };
  }

  private state(): WatchedState {
    return {
      ...this.serving(),
      accountsOut: accountsOut(this.accounts.list(), this.told.accountsOut),
      isLogHealthy: this.logs.stats().isHealthy,
    };
  }

  private serving(): Pick<WatchedState, 'readiness' | 'detail'> {
    const readiness = this.readiness.state();
    if (readiness === 'no_account' && standsBy(this.accounts.list())) {
      return { readiness: 'ok' };
    }
    if (readiness === 'ok' && this.isUpstreamDown()) {
      const at = this.upstream.failsAtOneConversation ? ' at one conversation, and no other has asked' : '';
      return { readiness: UPSTREAM_DOWN, detail: `the upstream keeps failing${at}` };
    }
    if (readiness === 'ok' && this.isUpstreamUnreachable()) {
      return { readiness: UPSTREAM_UNREACHABLE, detail: 'the upstream cannot be reached' };
    }
    if (readiness === 'ok' && this.isRateLimited()) {
      return {
        readiness: RATE_LIMITED,
        detail: 'no request has been served for ten minutes, since the accounts are at their limits',
      };
    }
    return { readiness, detail: this.readiness.detail() };
  }

  /** After a restart, what was told holds until an account has begun to answer. */
  private isRateLimited(): boolean {
    const { limitedForMs, hasServed } = this.limits;
    return limitedForMs >= LIMITED_MS || (this.told.readiness === RATE_LIMITED && !hasServed);
  }

  /** After a restart, what was told holds until the upstream has answered. */
  private isUpstreamDown(): boolean {
    const { failedForMs = 0, hasServed } = this.upstream;
    return failedForMs >= UPSTREAM_DOWN_MS || (this.told.readiness === UPSTREAM_DOWN && !hasServed);
  }

  /**
   * Whether even the list of its models stays away; told of, it holds until a list is read. The circuit breaker sees nothing
   * of that while callers are refused for want of the list; once the upstream has answered a prompt, it alone judges.
   */
  private isUpstreamUnreachable(): boolean {
    if (this.upstream.hasServed) {
      return false;
    }
    const { silentForMs, isUnknown } = this.models;
    return this.told.readiness === UPSTREAM_UNREACHABLE
      ? silentForMs !== undefined || isUnknown
      : silentForMs !== undefined && silentForMs >= UPSTREAM_DOWN_MS;
  }
}
