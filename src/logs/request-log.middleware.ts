import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { requestId } from '../common/http/request-id.js';
import { LogsService, type OpenRequestLog } from './logs.service.js';
import { type RequestOutcome } from './request-log-entry.js';

const openLogs = new WeakMap<Request, OpenRequestLog>();

/** The open log entry of a request that passed the middleware. */
export function requestLog(request: Request): OpenRequestLog {
  const log = openLogs.get(request);
  if (!log) {
    throw new Error(`No log entry was opened for ${request.path}`);
  }
  return log;
}

/**
 * Opens a log entry for each request and closes it with the response, whatever happens in between: what refuses a
 * request before it reaches its service (guard, body reader, validation) needs to know nothing of the log.
 */
@Injectable()
export class RequestLogMiddleware implements NestMiddleware {
  constructor(private readonly logs: LogsService) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const log = this.logs.open({ id: requestId(request), method: request.method, path: request.path });
    openLogs.set(request, log);
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : undefined;
      log.finish(response.writableFinished ? outcomeOf(status) : 'cancelled', status === undefined ? {} : { status });
    });
    next();
  }
}

function outcomeOf(status = 500): RequestOutcome {
  if (status < 400) {
    return 'ok';
  }
  if (status === 429) {
    return 'rate_limited';
  }
  return status < 500 ? 'client_error' : 'upstream_error';
}
