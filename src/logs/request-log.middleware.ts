import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { requestId } from '../common/http/request-id.js';
import { LogsService, type OpenRequestLog } from './logs.service.js';
import { type RequestOutcome } from './request-log-entry.js';

const unclaimed = new WeakMap<Request, OpenRequestLog>();

/** Takes over the log entry of a request: whoever calls this must finish it. */
export function claimRequestLog(request: Request): OpenRequestLog {
  const log = unclaimed.get(request);
  if (!log) {
    throw new Error(`No log entry is open for ${pathOf(request)}`);
  }
  unclaimed.delete(request);
  return log;
}

/**
 * Opens a log entry for each request, and finishes it with the response if nobody claimed it: what refuses a request
 * before it reaches its service (guard, body reader, validation) needs to know nothing of the log.
 */
@Injectable()
export class RequestLogMiddleware implements NestMiddleware {
  constructor(private readonly logs: LogsService) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const log = this.logs.open({ id: requestId(request), method: request.method, path: pathOf(request) });
    unclaimed.set(request, log);
    response.once('close', () => {
      if (unclaimed.delete(request)) {
        const status = response.headersSent ? response.statusCode : undefined;
        const outcome = response.writableFinished ? outcomeOf(status) : 'cancelled';
        log.finish(outcome, status === undefined ? {} : { status });
      }
    });
    next();
  }
}

/** Without the query, which may hold a key. Express cuts `path` where a middleware is mounted. */
function pathOf({ originalUrl }: Request): string {
  const query = originalUrl.indexOf('?');
  return query < 0 ? originalUrl : originalUrl.slice(0, query);
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
