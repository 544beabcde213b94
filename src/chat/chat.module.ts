import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RoutesModule } from '../common/http/answer/routes.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { ModelsModule } from '../models/models.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { CompletionService } from './completion.service.js';
import { Tokenizer } from './completion/tokens/tokenizer.js';
import { KeyAllowance } from './key-allowance.js';
import { CompletionPlanner } from './plan/completion-planner.js';
import { RunningCompletions } from './running-completions.js';

/** The completion endpoint. Further endpoints import this module, and answer through `ChatService`. */
@Module({
  imports: [AccountsModule, KeysModule, LogsModule, ModelsModule, RoutesModule, UpstreamModule],
  controllers: [ChatController],
  providers: [ChatService, CompletionService, CompletionPlanner, RunningCompletions, KeyAllowance, Tokenizer],
  exports: [ChatService, Tokenizer],
})
export class ChatModule {}
