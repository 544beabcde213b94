import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type NextFunction, type Request, type Response } from 'express';
import { REQUEST_ID_HEADER, requestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Sets the request id and the security headers on every response; first, so that errors have them, too. */
export function responseHeadersMiddleware(request: Request, response: Response, next: NextFunction): void {
  setResponseHeaders(request, response);
  next();
}

export function setResponseHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader(REQUEST_ID_HEADER, requestId(request));
  for (const [name, value] of SECURITY_HEADERS) {
    response.setHeader(name, value);
  }
}
