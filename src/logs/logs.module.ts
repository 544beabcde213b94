import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from '../common/http/access/api-key-authenticator.js';
import { RoutesModule } from '../common/http/answer/routes.module.js';
import { NetworkLog } from '../common/network/network-log.js';
import { LogJournal } from './journal/log-journal.js';
import { NetworkRecorder } from './journal/network-recorder.js';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { RequestLogMiddleware } from './request-log.middleware.js';
import { LogStream } from './stream/log-stream.js';
import { StreamTickets } from './stream/stream-tickets.js';

/** The log of requests and of the exchanges with the upstream. Global: drivers inject its `NetworkLog`. */
@Global()
@Module({
  imports: [RoutesModule],
  controllers: [LogsController],
  providers: [
    ApiKeyAuthenticator,
    LogJournal,
    LogsService,
    LogStream,
    StreamTickets,
    RequestLogMiddleware,
    { provide: NetworkLog, useClass: NetworkRecorder },
  ],
  exports: [LogsService, NetworkLog],
})
export class LogsModule {}
