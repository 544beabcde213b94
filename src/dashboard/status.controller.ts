import { Controller, Get } from '@nestjs/common';
import { Dispatcher } from '../accounts/dispatch/dispatcher.js';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import { type Readiness, ReadinessService } from '../health/readiness.service.js';
import { FullTexts } from '../logs/full-texts.js';
import { LogsService } from '../logs/logs.service.js';
import { type LogContent } from '../logs/records/log-content.js';

/** Status line above the content of every page of the dashboard. */
interface Status {
  /** As `/health/ready` says. */
  readonly readiness: Readiness;
  /** Explanation of an outage. */
  readonly detail?: string;
  /**
   * Numbers of accounts: all, and those in a state. `logging_in`: ready, but without a session yet. `elsewhere`: used by
   * other gateways, which may give one up; not among all.
   */
  readonly accounts: Readonly<Record<AccountGroup | 'all' | 'elsewhere', number>>;
  /** Milliseconds until the first account comes out of its cooldown; missing while any is ready, or none cools down. */
  readonly nextReadyMs?: number;
  /** Milliseconds for which requests are refused since the upstream keeps failing; missing while they are not. */
  readonly refusesForMs?: number;
  /** Requests in the queue. */
  readonly waiting: number;
  readonly log: {
    readonly isHealthy: boolean;
    readonly dropped: number;
    /** How much of the texts is kept now. */
    readonly keeps: LogContent;
    /** Milliseconds for which texts are still kept whole at the operator's wish; missing outside such a time. */
    readonly fullTextsMs?: number;
  };
}

type AccountGroup = 'ready' | 'logging_in' | 'cooldown' | 'login_required' | 'disabled';

/** The gateway's state in a few words. Read every second, so it costs next to nothing. */
@NeedsRole('operator')
@Controller('dashboard/api/status')
export class StatusController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly registry: AccountRegistry,
    private readonly pool: SessionPool,
    private readonly logs: LogsService,
    private readonly fullTexts: FullTexts,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  @Get()
  read(): Status {
    const now = this.clock.monotonic();
    const { accounts: slots, waiting } = this.pool.stats();
    const accounts = {
      all: 0,
      ready: 0,
      logging_in: 0,
      cooldown: 0,
      login_required: 0,
      disabled: 0,
      elsewhere: 0,
    };
    let nextReadyMs = Infinity;
    for (const account of this.registry.list()) {
      const state = account.stateAt(now);
      if (state === 'elsewhere') {
        accounts.elsewhere += Number(account.tenure.mayCome);
        continue;
      }
      const { sessions = 0, opening = 0 } = slots[account.id] ?? {};
      accounts.all += 1;
      accounts[state === 'ready' && sessions === 0 && opening > 0 ? 'logging_in' : state] += 1;
      if (state === 'cooldown') {
        nextReadyMs = Math.min(nextReadyMs, Math.ceil(account.cooldown.remainingMs(now)));
      }
    }
    const { remainingMs } = this.fullTexts;
    const detail = this.readiness.detail();
    const { refusesForMs } = this.dispatcher;
    const { isHealthy, dropped } = this.logs.stats();
    return {
      readiness: this.readiness.state(),
      ...(detail !== undefined && { detail }),
      accounts,
      ...(accounts.ready + accounts.logging_in === 0 && nextReadyMs < Infinity && { nextReadyMs }),
      ...(refusesForMs !== undefined && { refusesForMs }),
      waiting,
      log: {
        isHealthy,
        dropped,
        keeps: this.fullTexts.mode,
        ...(remainingMs > 0 && { fullTextsMs: remainingMs }),
      },
    };
  }
}
