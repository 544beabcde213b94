import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Settings } from '../common/config/settings.js';
import { ArrivalCheck } from '../common/http/access/arrival-check.js';
import { callerKeyOf } from '../common/http/access/caller-key.js';
import { KeyRedactor } from '../common/http/access/key-redactor.js';
import { errorSentTo, isAnswered } from '../common/http/answer/error-response.js';
import { requestId } from '../common/http/answer/request-id.js';
import { RouteCatalog } from '../common/http/answer/route-catalog.js';
import { AttachedValue } from '../common/memory/attached-value.js';
import { clientName } from './client-name.js';
import { LOGGED_AS } from './logged-as.decorator.js';
import { type LogContent } from './records/log-content.js';
import {
  type RequestDetails,
  type RequestOperation,
  type RequestOutcome,
  type SentBody,
} from './records/request-log-entry.js';
import { outcomeOfStatus } from './records/stored-record.js';
import { type TraceContext, traceContext } from './records/trace-context.js';
import { type OpenRequestLog, RequestLog } from './request-log.js';
import { sentBody } from './sent-body.js';
import { StrangerLog } from './stranger-log.js';

/** Longest texts that are kept of what a caller made up, in characters. */
const MAX_MODEL_LENGTH = 100;
const MAX_PATH_LENGTH = 200;

const unclaimed = new AttachedValue<Request, OpenRequestLog>('unclaimed log entry');

/** Takes over the log entry of a request whose body was read; the caller must finish it. */
export function claimRequestLog(request: Request): OpenRequestLog {
  const log = unclaimed.take(request);
  if (!log) {
    throw new Error(`No log entry is open for ${pathOf(request)}`);
  }
  log.add({ receivedMs: log.elapsedMs() });
  return log;
}

/**
 * Opens a log entry for each request, and finishes it with the response if nobody claimed it: what refuses a request
 * before it reaches its service (guard, body reader, validation) needs to know nothing of the log.
 */
@Injectable()
export class RequestLogMiddleware implements NestMiddleware {
  constructor(
    private readonly requests: RequestLog,
    private readonly strangers: StrangerLog,
    private readonly arrival: ArrivalCheck,
    private readonly redactor: KeyRedactor,
    private readonly routes: RouteCatalog,
    private readonly settings: Settings,
  ) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const { method } = request;
    const path = pathOf(request);
    const shownPath = this.redactor.path(path).slice(0, MAX_PATH_LENGTH);
    const arrived = { id: requestId(request), method, path: shownPath };
    const operation = this.operationOf(method, path);
    const log = this.arrival.admits(request)
      ? this.requests.open({
          ...arrived,
          operation,
          key: callerKeyOf(request)?.name,
          trace: this.traceOf(request),
        })
      : this.strangers.open(arrived);
    unclaimed.set(request, log);
    response.on('close', () => {
      if (unclaimed.take(request)) {
        const outcome = outcomeOf(response);
        // Other bodies may be settings.
        const isShown = operation === 'completion' && outcome === 'client_error';
        log.finish(outcome, {
          ...this.detailsOf(request, response),
          ...(isShown && { sent: this.sentWith(request, log.keeps) }),
        });
      }
    });
    next();
  }

  private traceOf({ headers }: Request): TraceContext | undefined {
    const isExported = this.settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
    return traceContext(headers.traceparent, isExported);
  }

  private operationOf(method: string, path: string): RequestOperation | undefined {
    return this.routes.metadataOf<RequestOperation>(LOGGED_AS, method, path);
  }

  private sentWith(request: Request, keeps: LogContent): SentBody | undefined {
    return sentBody(request, keeps, (text) => this.redactor.text(text));
  }

  /** Entry of a request that no route claimed. */
  private detailsOf({ body, params, headers }: Request, response: Response): RequestDetails {
    const error = errorSentTo(response);
    const client = clientName(headers);
    // The Gemini API has it in the path.
    const named = params?.model && [params.model].flat().join('/');
    const { model = named } = (body ?? {}) as { readonly model?: unknown };
    return {
      ...((response.headersSent || error) && { status: response.statusCode }),
      ...(typeof model === 'string' && { model: this.redactor.text(model).slice(0, MAX_MODEL_LENGTH) }),
      ...(client !== undefined && { client: this.redactor.text(client) }),
      ...(error && { error: { code: error.code, reason: error.reason, message: error.message } }),
    };
  }
}

function outcomeOf(response: Response): RequestOutcome {
  if (!isAnswered(response)) {
    return 'cancelled';
  }
  const isShutdown = errorSentTo(response)?.reason === 'shutting_down';
  return isShutdown ? 'shutdown' : outcomeOfStatus(response.statusCode);
}

/** As Express routes it: of any form of target, without the query, which may hold a key. */
function pathOf({ baseUrl, path }: Request): string {
  // Express moves the path into `baseUrl` where a middleware is mounted.
  return `${baseUrl}${path}`;
}
