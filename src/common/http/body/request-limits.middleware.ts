import { type NextFunction, type Request, type Response } from 'express';
import { GatewayError, InvalidRequestError } from '../../errors/gateway.errors.js';

/** Node limits the bytes of all headers (16 KiB), but would silently drop fields beyond a count. */
const MAX_HEADER_FIELDS = 100;
/** The log takes 21. */
const MAX_QUERY_PARAMETERS = 32;

/** Refuses other HTTP versions, chunks that HTTP/1.0 does not have, hundreds of headers or query parameters, and unknown expectations. */
export function requestLimitsMiddleware(request: Request, response: Response, next: NextFunction): void {
  if (request.httpVersionMajor !== 1) {
    next(new InvalidRequestError('This server speaks HTTP/1.1 and HTTP/1.0.'));
  } else if (request.httpVersionMinor === 0 && request.headers['transfer-encoding'] !== undefined) {
    // A proxy that knows no chunks has found another end of the body, so what follows may be nobody's request.
    response.shouldKeepAlive = false;
    next(new InvalidRequestError('HTTP/1.0 has no Transfer-Encoding: send a Content-Length, or HTTP/1.1.'));
  } else if (request.rawHeaders.length > 2 * MAX_HEADER_FIELDS) {
    next(
      new GatewayError('headers_too_large', `The request has more than ${MAX_HEADER_FIELDS} header fields.`),
    );
  } else if (countQueryParameters(request.url) > MAX_QUERY_PARAMETERS) {
    next(new InvalidRequestError(`The URL has more than ${MAX_QUERY_PARAMETERS} query parameters.`));
  } else if (request.headers.expect !== undefined && !expectsContinue(request.headers.expect)) {
    next(new GatewayError('expectation_failed', 'Only the expectation 100-continue is supported.'));
  } else {
    next();
  }
}

/** Whether an `Expect` header asks for `100 Continue`. */
export function expectsContinue(expect: string): boolean {
  return expect.trim().toLowerCase() === '100-continue';
}

function countQueryParameters(url: string): number {
  const start = url.indexOf('?');
  return start < 0 ? 0 : url.slice(start).split('&').length;
}
