import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { type FailureReason } from '../common/errors/failure-reasons.js';
import { type GatewayHttpAdapter } from '../common/http/server/gateway-http-adapter.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';

/**
 * `no_account`: every account is disabled or needs the operator, so that no request can be served; `database_away`: none is
 * left, since the shared database does not answer. Any other reason is that of an outage, e.g. `browser_missing`.
 */
export type Readiness = 'ok' | FailureReason;

const DATABASE_AWAY = 'database_away';

/**
 * Readiness of the gateway. Accounts in a cooldown count as usable: they recover by themselves, and until then a 429 with
 * `Retry-After` tells callers more than a refused connection.
 */
@Injectable()
export class ReadinessService implements OnModuleDestroy {
  private isShuttingDown = false;

  constructor(
    private readonly accounts: AccountRegistry,
    private readonly driver: UpstreamDriver,
    private readonly adapterHost: HttpAdapterHost<GatewayHttpAdapter>,
  ) {}

  /** `ok` if requests can be served. */
  state(): Readiness {
    if (this.isShuttingDown) {
      return 'shutting_down';
    }
    const { outage } = this.driver;
    if (outage) {
      return outage.reason;
    }
    if (this.accounts.list().some(({ isUsable }) => isUsable)) {
      return 'ok';
    }
    return this.accounts.isDatabaseAway ? DATABASE_AWAY : 'no_account';
  }

  /** Messages on parts that are out, while requests can be served without them. */
  partialOutages(): readonly string[] {
    return this.driver.partialOutages.map(({ message }) => message);
  }

  /** Message on an outage for the operator; undefined without one. */
  detail(): string | undefined {
    const isDatabaseAway = this.state() === DATABASE_AWAY;
    return isDatabaseAway ? 'the shared database cannot be reached' : this.driver.outage?.message;
  }

  /**
   * Not ready from now on, so that balancers send nothing more. Requests that come nevertheless are served until the
   * listener closes, over connections that close with their answers.
   */
  announceShutdown(): void {
    this.isShuttingDown = true;
    this.adapterHost.httpAdapter.closeAfterAnswers();
  }

  /** Runs before the listener closes. */
  onModuleDestroy(): void {
    this.announceShutdown();
  }
}
