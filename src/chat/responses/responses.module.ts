import { Module } from '@nestjs/common';
import { ModelsModule } from '../../models/models.module.js';
import { ChatModule } from '../chat.module.js';
import { BackgroundRuns } from './background/background-runs.js';
import { Conversations } from './conversations.js';
import { ResponsesController } from './responses.controller.js';
import { ResponsesService } from './responses.service.js';
import { ResponseStore } from './store/response-store.js';
import { StoredResponsesService } from './stored-responses.service.js';

/** The endpoints of responses. */
@Module({
  imports: [ChatModule, ModelsModule],
  controllers: [ResponsesController],
  providers: [BackgroundRuns, Conversations, ResponsesService, ResponseStore, StoredResponsesService],
})
export class ResponsesModule {}
