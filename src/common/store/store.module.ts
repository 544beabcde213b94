import { Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Clock } from '../time/clock.js';
import { Database } from './database.js';
import { PgDatabase } from './pg-database.js';
import { SecretBox } from './secret-box.js';
import { openSecretBox } from './secret-key.js';
import { openSharedSecretBox } from './shared-secret-key.js';

/** A table that e.g. VACUUM FULL has locked, or a server that is overloaded, need not end a process that has begun to start. */
const START_PATIENCE_MS = 60_000;

/** The embedded store, the shared one if `DATABASE_URL` names it (else undefined), and the box for the secrets in them. */
@Module({
  providers: [
    Database,
    {
      provide: PgDatabase,
      inject: [Settings, Clock],
      useFactory: ({ DATABASE_URL }: Settings, clock: Clock): Promise<PgDatabase> | undefined => {
        const patientUntil = clock.monotonic() + START_PATIENCE_MS;
        const isPatient = (): boolean => clock.monotonic() < patientUntil;
        return DATABASE_URL === undefined ? undefined : PgDatabase.open(DATABASE_URL, isPatient);
      },
    },
    {
      provide: SecretBox,
      inject: [Database, Settings, PgDatabase],
      useFactory: (database: Database, settings: Settings, shared?: PgDatabase) =>
        shared
          ? openSharedSecretBox(shared, settings)
          : openSecretBox(database, settings.SECRET_KEY, settings.SECRET_KEY_PREVIOUS),
    },
  ],
  exports: [Database, PgDatabase, SecretBox],
})
export class StoreModule {}
