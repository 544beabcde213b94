import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Settings } from '../../config/settings.js';
import { ERROR_CATALOG } from '../../errors/error-catalog.js';
import { asGatewayError, GatewayError } from '../../errors/gateway.errors.js';
import { shortened } from '../../text/shortened.js';
import { KeyRedactor } from '../access/key-redactor.js';
import { ErrorFormats } from './error-formats.js';
import { sendError } from './error-response.js';
import { fromHttpException } from './from-http-exception.js';
import { NOT_FOUND_PAGE, wantsPage } from './not-found-page.js';
import { requestId } from './request-id.js';
import { RouteFallback } from './route-fallback.js';

/** Reasons of refusals that an outage or a load brings to every request: where they arise says nothing, and a stack is long. */
const REFUSALS = /^(upstream_\w+|no_account|pool_exhausted|database_away|gateway_busy|shutting_down)$/;

/** Of a stack, whose first line is a message. */
const MAX_STACK_CHARS = 5000;
const MAX_CAUSE_CHARS = 500;

/** Answers every error of a request that Nest has taken, in the format of its endpoint. */
@Catch()
export class GatewayExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(GatewayExceptionFilter.name);

  constructor(
    private readonly fallback: RouteFallback,
    private readonly formats: ErrorFormats,
    private readonly redactor: KeyRedactor,
    private readonly settings: Settings,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.withoutKey(this.errorOf(exception, request));
    if (response.headersSent) {
      this.cut(request, response, exception);
    } else if (!response.destroyed) {
      this.log(request, error);
      const isPageMissing = exception instanceof NotFoundException && wantsPage(request);
      sendError(
        request,
        response,
        error,
        this.formats.of(request),
        isPageMissing ? NOT_FOUND_PAGE : undefined,
      );
    }
  }

  private errorOf(exception: unknown, request: Request): GatewayError {
    // Nest throws this for a request that no route took.
    if (exception instanceof NotFoundException) {
      return this.fallback.errorFor(request);
    }
    return exception instanceof HttpException ? fromHttpException(exception) : asGatewayError(exception);
  }

  /** Half an answer must not look like a whole one, so the connection goes down with it. */
  private cut(request: Request, response: Response, exception: unknown): void {
    if (!response.writableEnded) {
      this.logger.error(`${requestId(request)} failed after its answer had begun`, this.stackOf(exception));
      response.destroy();
    }
  }

  /** Messages quote what the caller sent, and end in logs on both sides. */
  private withoutKey(error: GatewayError): GatewayError {
    const message = this.redactor.text(error.message);
    return message === error.message ? error : new GatewayError(error.code, message, error);
  }

  private log(request: Request, error: GatewayError): void {
    if (ERROR_CATALOG[error.code].status >= 500) {
      const what = this.keepsTexts ? sentenceOf(error) : `${error.code} ${error.reason}`;
      // Read in any case: until then, V8 keeps what was on the stack of each error alive (some 15 KiB a refusal).
      const stack = this.stackOf(error.cause ?? error);
      this.logger.error(`${requestId(request)} ${what}`, ...(REFUSALS.test(error.reason) ? [] : [stack]));
    }
  }

  /** Messages repeat what callers, models and upstreams have written. */
  private get keepsTexts(): boolean {
    return this.settings.LOG_CONTENT !== 'none';
  }

  private stackOf(error: unknown): string {
    const { name, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const frames = stack.indexOf('\n    at ');
    return this.keepsTexts
      ? shortened(stack, MAX_STACK_CHARS)
      : name + (frames < 0 ? '' : stack.slice(frames));
  }
}

/** With the words of a database, which is away for many a reason, e.g. a full disk; it is logged without a stack. */
function sentenceOf({ reason, message, cause }: GatewayError): string {
  return reason === 'database_away' && cause instanceof Error && cause.message !== ''
    ? `${message} (${shortened(cause.message, MAX_CAUSE_CHARS)})`
    : message;
}
