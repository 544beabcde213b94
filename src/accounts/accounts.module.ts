import { Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { Tenures } from '../cluster/tenures.js';
import { AuditModule } from '../common/audit/audit.module.js';
import { Settings } from '../common/config/settings.js';
import { SettingsEditor } from '../common/config/settings-editor.js';
import { isApi } from '../common/config/upstream-kind.js';
import { Database } from '../common/store/database.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { SecretBox } from '../common/store/secret-box.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { AccountTest } from './dispatch/account-test.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { UpstreamBreaker } from './dispatch/failures/upstream-breaker.js';
import { UpstreamDispatcher } from './dispatch/upstream-dispatcher.js';
import { UpstreamStatus } from './dispatch/upstream-status.js';
import { LoginHandOver } from './hand-over/login-hand-over.js';
import { SessionPool } from './pool/session-pool.js';
import { PoolTenures } from './pool-tenures.js';
import { AccountCommands } from './registry/account-commands.js';
import { AccountHealth } from './registry/account-health.js';
import { AccountRegistry } from './registry/account-registry.js';
import { LoginHealer } from './registry/login-healer.js';
import { AccountStore } from './registry/store/account-store.js';
import { PgAccountStore } from './registry/store/pg-account-store.js';
import { SqliteAccountStore } from './registry/store/sqlite-account-store.js';
import { spareCredentials } from './spare-credentials.js';

/** Accounts, their sessions, and the dispatch of prompts to the upstream. */
@Module({
  imports: [AuditModule, ClusterModule, StoreModule, UpstreamModule],
  providers: [
    {
      provide: AccountStore,
      inject: [Database, PgDatabase, SecretBox, Clock, UpstreamDriver],
      useFactory: (
        database: Database,
        shared: PgDatabase | undefined,
        box: SecretBox,
        clock: Clock,
        { shares }: UpstreamDriver,
      ) => (shared ? new PgAccountStore(shared, box, clock, shares) : new SqliteAccountStore(database, box)),
    },
    {
      provide: AccountRegistry,
      inject: [Settings, AccountStore, Clock, UpstreamDriver, Tenures],
      useFactory: loadRegistry,
    },
    AccountHealth,
    AccountCommands,
    AccountTest,
    LoginHealer,
    LoginHandOver,
    SessionPool,
    {
      provide: UpstreamBreaker,
      inject: [Settings],
      useFactory: (settings: Settings) => new UpstreamBreaker(isApi(settings)),
    },
    { provide: Dispatcher, useClass: UpstreamDispatcher },
    UpstreamStatus,
    PoolTenures,
  ],
  exports: [
    AccountRegistry,
    AccountHealth,
    AccountCommands,
    AccountTest,
    LoginHandOver,
    SessionPool,
    Dispatcher,
    UpstreamStatus,
  ],
})
export class AccountsModule {
  constructor(
    settings: SettingsEditor,
    pool: SessionPool,
    registry: AccountRegistry,
    driver: UpstreamDriver,
  ) {
    settings.changes$.subscribe(() => pool.balance());
    driver.takeSpareCredentialsFrom(() => spareCredentials(registry.list()));
  }
}

function loadRegistry(
  settings: Settings,
  store: AccountStore,
  clock: Clock,
  driver: UpstreamDriver,
  tenures: Tenures,
): Promise<AccountRegistry> {
  return AccountRegistry.load({ settings, store, clock, driver, tenures });
}
