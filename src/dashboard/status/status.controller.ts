import { Controller, Get } from '@nestjs/common';
import { UpstreamStatus } from '../../accounts/dispatch/upstream-status.js';
import { SessionPool } from '../../accounts/pool/session-pool.js';
import { AccountRegistry } from '../../accounts/registry/account-registry.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { Clock } from '../../common/time/clock.js';
import { type Readiness, ReadinessService } from '../../health/readiness.service.js';
import { FullTexts } from '../../logs/full-texts.js';
import { LogsService } from '../../logs/logs.service.js';
import { type LogContent } from '../../logs/records/log-content.js';
import { UpstreamModels } from '../../models/upstream-models.js';
import { type AccountsStatus, statusOf } from './status.js';

/** Status line above the content of every page of the dashboard. */
interface Status extends AccountsStatus {
  /** The same word as in `/health/ready`. */
  readonly readiness: Readiness;
  /** Explanation of an outage. */
  readonly detail?: string;
  /** Why some browsers cannot be used while others serve; missing while all can. */
  readonly lostBrowsers?: readonly string[];
  /** Milliseconds until requests are let through to an upstream that keeps failing; missing while they are. */
  readonly refusesForMs?: number;
  /** Set with it if one conversation alone is refused, since no other has failed. */
  readonly refusesOneConversation?: true;
  /** Why the upstream's list of models could not be read; missing where it could. */
  readonly upstreamSilence?: string;
  /** Requests in the queue. */
  readonly waiting: number;
  readonly log: {
    readonly isHealthy: boolean;
    readonly dropped: number;
    /** When the last of them was lost, in Unix milliseconds. */
    readonly droppedAt?: number;
    /** How much of the texts is kept now. */
    readonly keeps: LogContent;
    /** Milliseconds for which texts are still kept whole, as the operator has asked; missing otherwise. */
    readonly fullTextsMs?: number;
  };
}

/** The gateway's state in a few words. Read up to once a second, so it costs next to nothing. */
@NeedsRole('operator')
@Controller('dashboard/api/status')
export class StatusController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly registry: AccountRegistry,
    private readonly pool: SessionPool,
    private readonly logs: LogsService,
    private readonly fullTexts: FullTexts,
    private readonly upstream: UpstreamStatus,
    private readonly models: UpstreamModels,
    private readonly clock: Clock,
  ) {}

  @Get()
  read(): Status {
    const { accounts: sessions, waiting } = this.pool.stats();
    const { remainingMs } = this.fullTexts;
    const lostBrowsers = this.readiness.partialOutages();
    const { refusesForMs, failsAtOneConversation } = this.upstream;
    const { isHealthy, dropped, droppedAt } = this.logs.stats();
    return {
      readiness: this.readiness.state(),
      detail: this.readiness.detail(),
      lostBrowsers: lostBrowsers.length > 0 ? lostBrowsers : undefined,
      ...statusOf(this.registry.list(), sessions, this.clock.monotonic()),
      refusesForMs,
      refusesOneConversation: (refusesForMs !== undefined && failsAtOneConversation) || undefined,
      upstreamSilence: this.models.silence,
      waiting,
      log: {
        isHealthy,
        dropped,
        droppedAt,
        keeps: this.fullTexts.mode,
        fullTextsMs: remainingMs > 0 ? remainingMs : undefined,
      },
    };
  }
}
