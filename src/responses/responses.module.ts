import { Module } from '@nestjs/common';
import { BodyForms } from '../chat/body-forms.js';
import { ChatModule } from '../chat/chat.module.js';
import { ClusterModule } from '../cluster/cluster.module.js';
import { SharedChanges } from '../cluster/shared-changes.js';
import { Settings } from '../common/config/settings.js';
import { BodyMemoryModule } from '../common/http/body/body-memory.module.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { ModelsModule } from '../models/models.module.js';
import { BackgroundRuns } from './background/background-runs.js';
import { Conversations } from './conversations.js';
import { CHAT_BODY } from './dto/chat-body.js';
import { ResponsesController } from './responses.controller.js';
import { ResponsesService } from './responses.service.js';
import { PgResponseStore } from './store/pg-response-store.js';
import { PgResponseTable } from './store/pg-response-table.js';
import { ResponseStore } from './store/response-store.js';
import { SqliteResponseStore } from './store/sqlite-response-store.js';
import { StoredResponsesService } from './stored-responses.service.js';

/** The endpoints of responses. */
@Module({
  imports: [BodyMemoryModule, ChatModule, ClusterModule, ModelsModule, StoreModule],
  controllers: [ResponsesController],
  providers: [
    BackgroundRuns,
    Conversations,
    ResponsesService,
    StoredResponsesService,
    {
      provide: ResponseStore,
      inject: [Settings, Clock, SharedChanges, PgDatabase],
      useFactory: openStore,
    },
  ],
})
export class ResponsesModule {
  constructor(forms: BodyForms) {
    forms.add(CHAT_BODY);
  }
}

function openStore(
  settings: Settings,
  clock: Clock,
  changes: SharedChanges,
  shared: PgDatabase | undefined,
): ResponseStore {
  if (!shared) {
    return new SqliteResponseStore(settings, clock);
  }
  const { NODE_LEASE_MS: nodeLeaseMs } = settings;
  const table = new PgResponseTable(shared.connectionOptions, { node: shared.nodeId, nodeLeaseMs });
  return new PgResponseStore(settings, clock, { table, changes, nodeLeaseMs });
}
