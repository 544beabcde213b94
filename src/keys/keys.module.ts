import { Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { SharedChanges } from '../cluster/shared-changes.js';
import { AuditModule } from '../common/audit/audit.module.js';
import { Settings } from '../common/config/settings.js';
import { AccessModule } from '../common/http/access/access.module.js';
import { KeyRing } from '../common/http/access/key-ring.js';
import { Database } from '../common/store/database.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { LogsModule } from '../logs/logs.module.js';
import { KeyCommands } from './key-commands.js';
import { KeyRegistry } from './key-registry.js';
import { KeysController } from './keys.controller.js';
import { KeyLimiters } from './limits/key-limiters.js';
import { LimitParts, WholeLimits } from './limits/limit-parts.js';
import { PgLimitParts } from './limits/pg-limit-parts.js';
import { OwnKeyController } from './own-key.controller.js';
import { KeyStore } from './store/key-store.js';
import { PgKeyStore } from './store/pg-key-store.js';
import { SqliteKeyStore } from './store/sqlite-key-store.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageService } from './usage/usage.service.js';

/** Keys of callers and operators: who they are, what they may use, and what was done with them. */
@Module({
  imports: [AccessModule, AuditModule, ClusterModule, LogsModule, StoreModule],
  controllers: [KeysController, OwnKeyController, UsageController],
  providers: [
    {
      provide: KeyStore,
      inject: [Database, PgDatabase],
      useFactory: (database: Database, shared: PgDatabase | undefined): KeyStore =>
        shared ? new PgKeyStore(shared) : new SqliteKeyStore(database),
    },
    {
      provide: LimitParts,
      inject: [Settings, Clock, SharedChanges, PgDatabase],
      useFactory: dividedLimits,
    },
    {
      provide: KeyRegistry,
      inject: [KeyStore, KeyRing, KeyLimiters, Clock, SharedChanges],
      useFactory: loadRegistry,
    },
    KeyCommands,
    KeyLimiters,
    UsageService,
  ],
  exports: [KeyRegistry, UsageService],
})
export class KeysModule {}

function dividedLimits(
  { NODE_LEASE_MS }: Settings,
  clock: Clock,
  changes: SharedChanges,
  shared: PgDatabase | undefined,
): LimitParts {
  if (!shared) {
    return new WholeLimits();
  }
  const parts = new PgLimitParts(shared, clock, NODE_LEASE_MS);
  changes.follow('key_parts', () => {
    parts.exchangeSoon();
    return Promise.resolve();
  });
  return parts;
}

async function loadRegistry(
  store: KeyStore,
  ring: KeyRing,
  limiters: KeyLimiters,
  clock: Clock,
  changes: SharedChanges,
): Promise<KeyRegistry> {
  const registry = await KeyRegistry.load({ store, ring, limiters, clock });
  changes.follow('keys', () => registry.refresh());
  return registry;
}
