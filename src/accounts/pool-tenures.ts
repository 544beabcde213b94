import { Injectable } from '@nestjs/common';
import { type TenureClient, Tenures } from '../cluster/tenures.js';
import { Settings } from '../common/config/settings.js';
import { SessionPool } from './pool/session-pool.js';
import { providerOf } from './registry/account-loader.js';
import { AccountRegistry } from './registry/account-registry.js';

/** Answers what the tenures ask of accounts and pool. */
@Injectable()
export class PoolTenures implements TenureClient {
  constructor(
    tenures: Tenures,
    private readonly registry: AccountRegistry,
    private readonly pool: SessionPool,
    private readonly settings: Settings,
  ) {
    tenures.serve(this);
  }

  get provider(): string {
    return providerOf(this.settings);
  }

  refresh(): Promise<void> {
    return this.registry.refresh();
  }

  isWithinPart(accountId: string): boolean {
    const account = this.registry.list().find(({ id }) => id === accountId);
    if (!account) {
      return true;
    }
    const part = account.tenure.partOf(this.settings.POOL_MAX_SESSIONS_PER_ACCOUNT);
    return this.pool.sessionsOf(account) <= part;
  }
}
