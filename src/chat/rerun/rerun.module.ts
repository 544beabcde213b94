import { Module } from '@nestjs/common';
import { LogsModule } from '../../logs/logs.module.js';
import { UpstreamModule } from '../../upstream/upstream.module.js';
import { ChatModule } from '../chat.module.js';
import { RerunController } from './rerun.controller.js';

/** Runs recorded completions again. */
@Module({ imports: [ChatModule, LogsModule, UpstreamModule], controllers: [RerunController] })
export class RerunModule {}
