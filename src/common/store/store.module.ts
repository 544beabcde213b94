import { Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Database } from './database.js';
import { SecretBox } from './secret-box.js';
import { openSecretBox } from './secret-key.js';

/** The embedded store, and the box for its secrets. */
@Module({
  providers: [
    Database,
    {
      provide: SecretBox,
      inject: [Database, Settings],
      useFactory: (database: Database, settings: Settings) => openSecretBox(database, settings.SECRET_KEY),
    },
  ],
  exports: [Database, SecretBox],
})
export class StoreModule {}
