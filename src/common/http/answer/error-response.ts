import { type IncomingMessage, type ServerResponse } from 'node:http';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { REASON_HEADER } from '../../errors/failure-reasons.js';
import { type GatewayError } from '../../errors/gateway.errors.js';
import { AttachedValue } from '../../memory/attached-value.js';
import { errorHeaders } from './error-headers.js';
import { endAfterBody } from './lingering-end.js';
import { requestId } from './request-id.js';

const sentErrors = new AttachedValue<ServerResponse, GatewayError>('sent error');

/** The error that a response was answered with, if it was one. */
export function errorSentTo(response: ServerResponse): GatewayError | undefined {
  return sentErrors.get(response);
}

/** Notes an error with which a request is answered on its socket, past its response. */
export function noteRawError(response: ServerResponse, error: GatewayError, format: ErrorFormat): void {
  response.statusCode = format.status(error);
  sentErrors.set(response, error);
}

/** Whether an answer was sent, even if not through the response. */
export function isAnswered(response: ServerResponse): boolean {
  return response.writableFinished || (!response.headersSent && sentErrors.get(response) !== undefined);
}

/**
 * Answers with the error's status, headers and body. Must be called before any header is sent.
 * @param format default: the contract's envelope
 * @param page HTML in place of the body, for a person
 */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: GatewayError,
  format = DEFAULT_ERROR_FORMAT,
  page?: string,
): void {
  sentErrors.set(response, error);
  const id = requestId(request);
  const body = Buffer.from(page ?? JSON.stringify(format.body(error, id)));
  // A handler may have begun to describe another answer.
  for (const name of ['Content-Encoding', 'Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges']) {
    response.removeHeader(name);
  }
  for (const [name, value] of Object.entries({ ...format.headers?.(id), ...errorHeaders(error) })) {
    response.setHeader(name, value);
  }
  response.setHeader(REASON_HEADER, error.reason);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader(
    'Content-Type',
    `${page === undefined ? 'application/json' : 'text/html'}; charset=utf-8`,
  );
  response.setHeader('Content-Length', body.length);
  response.statusCode = format.status(error);
  endAfterBody(request, response, body);
}
