import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from '../common/http/access/api-key.authenticator.js';
import { NetworkLog } from '../common/network/network-log.js';
import { LogJournal } from './journal/log-journal.js';
import { NetworkRecorder } from './journal/network-recorder.js';
import { StoredLogsService } from './journal/stored-logs.service.js';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { RequestLogMiddleware } from './request-log.middleware.js';
import { LogStream } from './stream/log-stream.js';
import { StreamTickets } from './stream/stream-tickets.js';

/** The log of requests and of the traffic with the upstream. Global, so that drivers find their `NetworkLog`. */
@Global()
@Module({
  controllers: [LogsController],
  providers: [
    ApiKeyAuthenticator,
    LogJournal,
    LogStream,
    StreamTickets,
    RequestLogMiddleware,
    { provide: LogsService, useClass: StoredLogsService },
    { provide: NetworkLog, useClass: NetworkRecorder },
  ],
  exports: [LogsService, NetworkLog],
})
export class LogsModule {}
