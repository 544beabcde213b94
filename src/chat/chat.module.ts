import { Logger, Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClusterModule } from '../cluster/cluster.module.js';
import { SharedChanges } from '../cluster/shared-changes.js';
import { messageWithCauses } from '../common/errors/message-with-causes.js';
import { AccessModule } from '../common/http/access/access.module.js';
import { RoutesModule } from '../common/http/answer/routes.module.js';
import { Outage } from '../common/logging/outage.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { KeysModule } from '../keys/keys.module.js';
import { ModelsModule } from '../models/models.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { BodyForms } from './body-forms.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { CompletionService } from './completion.service.js';
import { Tokenizer } from './completion/tokens/tokenizer.js';
import { CondensedResults } from './compression/condensed-results.js';
import { EchoMemory } from './echo/echo-memory.js';
import { KeyAllowance } from './key-allowance.js';
import { CompletionPlanner } from './plan/completion-planner.js';
import { RunningCompletions } from './running-completions.js';
import { SharedEchoMemory } from './shared/shared-echo-memory.js';

/** The completion endpoint. Further endpoints import this module, and answer through `ChatService`. */
@Module({
  imports: [
    AccessModule,
    AccountsModule,
    ClusterModule,
    KeysModule,
    ModelsModule,
    RoutesModule,
    StoreModule,
    UpstreamModule,
  ],
  controllers: [ChatController],
  providers: [
    BodyForms,
    ChatService,
    CompletionService,
    CompletionPlanner,
    RunningCompletions,
    KeyAllowance,
    { provide: Tokenizer, useFactory: tokenizer },
    { provide: CondensedResults, useFactory: condensedResults },
    {
      provide: EchoMemory,
      inject: [Clock, SharedChanges, PgDatabase],
      useFactory: (clock: Clock, changes: SharedChanges, shared: PgDatabase | undefined) =>
        shared ? new SharedEchoMemory(clock, shared, changes) : new EchoMemory(clock),
    },
  ],
  exports: [BodyForms, ChatService, CondensedResults, Tokenizer],
})
export class ChatModule {}

function condensedResults(): CondensedResults {
  const logger = new Logger(CondensedResults.name);
  return new CondensedResults({
    onFailure: (error) => logger.warn(error, 'a large tool result goes upstream as it is'),
  });
}

function tokenizer(): Tokenizer {
  const logger = new Logger(Tokenizer.name);
  return new Tokenizer(
    new Outage({
      begun: (error) =>
        logger.warn(
          { event: 'tokens_estimated', detail: messageWithCauses(error as Error) },
          'tokens are estimated: their vocabulary cannot be loaded',
        ),
      over: () => logger.warn({ event: 'tokens_counted' }, 'tokens are counted again'),
    }),
  );
}
