import { Injectable } from '@nestjs/common';
import { type TenureClient, Tenures } from '../cluster/tenures.js';
import { SessionPool } from './pool/session-pool.js';
import { AccountRegistry } from './registry/account-registry.js';

/** Answers what the tenures ask of accounts and pool. */
@Injectable()
export class PoolTenures implements TenureClient {
  constructor(
    tenures: Tenures,
    private readonly registry: AccountRegistry,
    private readonly pool: SessionPool,
  ) {
    tenures.serve(this);
  }

  refresh(): Promise<void> {
    return this.registry.refresh();
  }

  sessionsOf(accountId: string): number {
    const account = this.registry.list().find(({ id }) => id === accountId);
    return account ? this.pool.sessionsOf(account) : 0;
  }
}
