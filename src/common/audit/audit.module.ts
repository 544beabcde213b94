import { Module } from '@nestjs/common';
import { Database } from '../store/database.js';
import { PgDatabase } from '../store/pg-database.js';
import { StoreModule } from '../store/store.module.js';
import { Clock } from '../time/clock.js';
import { AuditLog } from './audit-log.js';
import { PgAuditLog } from './pg-audit-log.js';
import { SqliteAuditLog } from './sqlite-audit-log.js';

/** What operators have done, in the shared store if there is one. */
@Module({
  imports: [StoreModule],
  providers: [
    {
      provide: AuditLog,
      inject: [Database, Clock, PgDatabase],
      useFactory: (database: Database, clock: Clock, shared: PgDatabase | undefined): AuditLog =>
        shared ? new PgAuditLog(shared, clock) : new SqliteAuditLog(database, clock),
    },
  ],
  exports: [AuditLog],
})
export class AuditModule {}
