import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { RerunController } from './rerun.controller.js';
import { RerunService } from './rerun.service.js';

/** Runs recorded completions again. */
@Module({
  imports: [ChatModule, LogsModule, UpstreamModule],
  controllers: [RerunController],
  providers: [RerunService],
})
export class RerunModule {}
