import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AccountRegistry } from '../accounts/registry/account-registry.js';

/** `no_account`: every account is disabled or needs the operator, so that no request can be served. */
export type Readiness = 'ok' | 'shutting_down' | 'no_account';

/**
 * Readiness of the gateway. Accounts in a cooldown count as usable: they recover by themselves, and until then a 429 with
 * `Retry-After` tells callers more than a refused connection.
 */
@Injectable()
export class ReadinessService implements OnModuleDestroy {
  private isShuttingDown = false;

  constructor(private readonly accounts: AccountRegistry) {}

  /** `ok` if requests can be served. */
  state(): Readiness {
    if (this.isShuttingDown) {
      return 'shutting_down';
    }
    return this.accounts.list().some(({ isUsable }) => isUsable) ? 'ok' : 'no_account';
  }

  /** Runs before the listener closes. */
  onModuleDestroy(): void {
    this.isShuttingDown = true;
  }
}
