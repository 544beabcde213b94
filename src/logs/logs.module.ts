import { Global, Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { AccessModule } from '../common/http/access/access.module.js';
import { RoutesModule } from '../common/http/answer/routes.module.js';
import { NetworkLog } from '../common/network/network-log.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { FullTexts } from './full-texts.js';
import { LogJournal } from './journal/log-journal.js';
import { NetworkRecorder } from './journal/network-recorder.js';
import { LogReadLimiter } from './log-read-limiter.js';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { RequestLog } from './request-log.js';
import { RequestLogMiddleware } from './request-log.middleware.js';
import { StrangerLog } from './stranger-log.js';
import { LocalTickets } from './stream/local-tickets.js';
import { LogStream } from './stream/log-stream.js';
import { PgTickets } from './stream/pg-tickets.js';
import { StreamTickets } from './stream/stream-tickets.js';

/** The log of requests and of the exchanges with the upstream. Global: drivers inject its `NetworkLog`. */
@Global()
@Module({
  imports: [AccessModule, ClusterModule, RoutesModule, StoreModule],
  controllers: [LogsController],
  providers: [
    FullTexts,
    LogJournal,
    LogReadLimiter,
    LogsService,
    LogStream,
    RequestLog,
    StrangerLog,
    {
      provide: StreamTickets,
      inject: [Clock, PgDatabase],
      useFactory: (clock: Clock, shared: PgDatabase | undefined): StreamTickets =>
        shared ? new PgTickets(shared) : new LocalTickets(clock),
    },
    RequestLogMiddleware,
    { provide: NetworkLog, useClass: NetworkRecorder },
  ],
  exports: [FullTexts, LogReadLimiter, LogsService, NetworkLog, RequestLog, StrangerLog],
})
export class LogsModule {}
