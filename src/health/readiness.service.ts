import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AccountRegistry } from '../accounts/registry/account-registry.js';

/** `no_account`: every account is disabled or waits for the operator, so that no request can be served. */
export type Readiness = 'ok' | 'shutting_down' | 'no_account';

/**
 * Whether requests should be sent here. An account that cools down is not missing: it comes back by itself, and until
 * then callers are told to wait, which is more than a refused connection tells them.
 */
@Injectable()
export class ReadinessService implements OnModuleDestroy {
  private isShuttingDown = false;

  constructor(private readonly accounts: AccountRegistry) {}

  state(): Readiness {
    if (this.isShuttingDown) {
      return 'shutting_down';
    }
    return this.accounts.list().some(({ isUsable }) => isUsable) ? 'ok' : 'no_account';
  }

  /** The first thing that a shutdown does: the listener closes after it. */
  onModuleDestroy(): void {
    this.isShuttingDown = true;
  }
}
