import { Module } from '@nestjs/common';
import { AccessModule } from '../common/http/access/access.module.js';
import { StoreModule } from '../common/store/store.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { AuditLog } from './audit-log.js';
import { KeyCommands } from './key-commands.js';
import { KeyRegistry } from './key-registry.js';
import { KeyStore } from './key-store.js';
import { KeysController } from './keys.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageService } from './usage/usage.service.js';

/** Keys of callers and operators: who they are, what they may use, and what was done with them. */
@Module({
  imports: [AccessModule, LogsModule, StoreModule],
  controllers: [KeysController, UsageController],
  providers: [AuditLog, KeyCommands, KeyRegistry, KeyStore, UsageService],
  exports: [AuditLog, KeyRegistry],
})
export class KeysModule {}
