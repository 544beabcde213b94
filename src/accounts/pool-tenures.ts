import { Injectable } from '@nestjs/common';
import { type TenureClient, type TenureDemand, Tenures } from '../cluster/tenures.js';
import { Settings } from '../common/config/settings.js';
import { Clock } from '../common/time/clock.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { SessionPool } from './pool/session-pool.js';
import { providerOf } from './registry/account-loader.js';
import { AccountRegistry } from './registry/account-registry.js';

/** Most shares to ask for at once: those that come bring others with the next beat. */
const MAX_DEMAND = 8;

const NO_DEMAND: TenureDemand = { shares: 0, probes: [] };

/** Answers what the tenures ask of accounts and pool. */
@Injectable()
export class PoolTenures implements TenureClient {
  constructor(
    tenures: Tenures,
    private readonly registry: AccountRegistry,
    private readonly pool: SessionPool,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly driver: UpstreamDriver,
  ) {
    tenures.serve(this);
    pool.balanced$.subscribe(() => tenures.look());
  }

  get provider(): string {
    return providerOf(this.settings);
  }

  get sessionLimit(): number {
    return this.settings.POOL_MAX_SESSIONS_PER_ACCOUNT;
  }

  get demand(): TenureDemand {
    const { unserved, waitingModels } = this.pool;
    if (unserved === 0) {
      return NO_DEMAND;
    }
    const perShare = Math.max(1, Math.floor(this.sessionLimit / this.driver.shares));
    const now = this.clock.monotonic();
    const probes = this.registry
      .list()
      .filter(
        ({ isUsable, tenure, cooldown }) =>
          isUsable && !tenure.mayProbe && waitingModels.some((model) => cooldown.awaitsProbe(now, model)),
      );
    return {
      shares: Math.min(MAX_DEMAND, Math.ceil(unserved / perShare)),
      probes: probes.map(({ id }) => id),
    };
  }

  get unfit(): readonly string[] {
    const { waitingModels } = this.pool;
    if (waitingModels.length === 0) {
      return [];
    }
    const now = this.clock.monotonic();
    const unfit = this.registry
      .list()
      .filter(
        ({ needsLogin, cooldown }) =>
          needsLogin || waitingModels.every((model) => cooldown.isCooling(now, model)),
      );
    return unfit.map(({ id }) => id);
  }

  refresh(): Promise<void> {
    return this.registry.refresh();
  }

  outlookChanged(): void {
    this.pool.balance();
  }

  isWithinPart(accountId: string): boolean {
    const account = this.registry.find(accountId);
    if (!account) {
      return true;
    }
    const isProbing = account.cooldown.obstacle(this.clock.monotonic()) === 'half_open';
    const part = account.tenure.partOf(this.sessionLimit);
    return !isProbing && this.pool.sessionsOf(account) <= part && !this.registry.isUnstored(account);
  }

  sessionsNeeded(accountId: string): number {
    const account = this.registry.find(accountId);
    return account ? this.pool.sessionsNeeded(account) : 0;
  }

  isLoggingIn(accountId: string): boolean {
    const account = this.registry.find(accountId);
    return account !== undefined && this.pool.isLoggingIn(account);
  }

  canServe(accountId: string): boolean {
    const account = this.registry.find(accountId);
    return account?.isUsable === true && account.cooldown.obstacle(this.clock.monotonic()) !== 'half_open';
  }
}
