import { Module } from '@nestjs/common';
import { LogsService } from './logs.service.js';
import { MemoryLogsService } from './memory-logs.service.js';

@Module({
  providers: [{ provide: LogsService, useClass: MemoryLogsService }],
  exports: [LogsService],
})
export class LogsModule {}
