import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from '../common/http/access/api-key-authenticator.js';
import { NetworkLog } from '../common/network/network-log.js';
import { LogBook } from './book/log-book.service.js';
import { RecordedNetworkLog } from './book/recorded-network-log.service.js';
import { StoredLogsService } from './book/stored-logs.service.js';
import { LogStream } from './feed/log-stream.service.js';
import { LogTickets } from './feed/log-tickets.service.js';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { RequestLogMiddleware } from './request-log.middleware.js';

/** The log of requests and of the traffic with the upstream. Global, so that drivers find their `NetworkLog`. */
@Global()
@Module({
  controllers: [LogsController],
  providers: [
    ApiKeyAuthenticator,
    LogBook,
    LogStream,
    LogTickets,
    RequestLogMiddleware,
    { provide: LogsService, useClass: StoredLogsService },
    { provide: NetworkLog, useClass: RecordedNetworkLog },
  ],
  exports: [LogsService, NetworkLog],
})
export class LogsModule {}
