import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Duplex } from 'node:stream';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { GatewayError, InvalidRequestError } from '../../errors/gateway.errors.js';
import { ARRIVED_TOO_LATE } from '../../errors/shared-messages.js';
import { AttachedValue } from '../../memory/attached-value.js';
import { noteRawError } from '../answer/error-response.js';
import { requestId } from '../answer/request-id.js';
import { keepHalfClosedCallers } from './half-close.js';
import { closeGently, sendRawError } from './raw-answer.js';

/** Most bytes of all headers of a request together. */
export const MAX_REQUEST_HEADER_BYTES = 16 * 1024;

/** Node's code for a request that does not arrive in time. */
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Handles the events in which Node would answer or cut a caller before Express sees a request: see `../README.md`.
 * @param formatOf format of the errors of a request's endpoint; default: the contract's envelope
 */
export function answerServerEvents(
  server: Server,
  formatOf: (request: IncomingMessage) => ErrorFormat = () => DEFAULT_ERROR_FORMAT,
): void {
  const lastResponse = new AttachedValue<Duplex, ServerResponse>('last response');
  const answered = new WeakSet<Duplex>();

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    lastResponse.set(request.socket, response);
  });
  keepHalfClosedCallers(server, (socket) => lastResponse.get(socket));

  const answer = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // The parser reports every further piece of a broken request again.
    if (answered.has(socket)) {
      return;
    }
    answered.add(socket);
    const last = lastResponse.get(socket);
    // An error of a system call is one of the connection, which can carry no answer.
    if (error.syscall !== undefined) {
      socket.destroy();
    } else if (last && !last.headersSent && !last.req.complete) {
      const format = formatOf(last.req);
      const clientError = toClientError(error.code);
      noteRawError(last, clientError, format);
      sendRawError(socket, clientError, format, requestId(last.req));
    } else if (canAnswer(last)) {
      sendRawError(socket, toClientError(error.code));
    } else {
      closeGently(socket);
    }
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === TIMEOUT) {
      unlessArriving(
        () => lastResponse.get(socket),
        () => answer(error, socket),
      );
    } else {
      answer(error, socket);
    }
  });

  server.on('connect', refuseTunnel);

  // Both go to Express; JsonBodyGuard sends "100 Continue" once the body is wanted. Until then the caller may hold its
  // body back, so an answer without it must end the connection.
  const passOn = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('Connection', 'close');
    server.emit('request', request, response);
  };
  server.on('checkContinue', passOn);
  server.on('checkExpectation', passOn);
}

function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  sendRawError(
    socket,
    new GatewayError('method_not_allowed', 'This gateway is no proxy.', {
      allowedMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    }),
  );
}

/**
 * Refuses a request that is late. Where the process stood still meanwhile, it may have arrived, and is read only after the
 * timers of this turn of the event loop.
 * @param lastOf the last response of its connection
 */
function unlessArriving(lastOf: () => ServerResponse | undefined, refuse: () => void): void {
  const last = lastOf();
  const unfinished = last?.req.complete === false ? last.req : undefined;
  setImmediate(() => {
    const hasArrived = unfinished ? unfinished.complete : lastOf() !== last;
    if (!hasArrived) {
      refuse();
    }
  });
}

/** False while another answer is being sent on the connection, and after an answer that refused this request. */
function canAnswer(last: ServerResponse | undefined): boolean {
  return last === undefined || !last.headersSent || (last.writableFinished && last.req.complete);
}

function toClientError(code: string | undefined): GatewayError {
  switch (code) {
    case TIMEOUT:
      return new GatewayError('request_timeout', ARRIVED_TOO_LATE);
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError(
        'headers_too_large',
        `The request headers are larger than ${MAX_REQUEST_HEADER_BYTES / 1024} KiB.`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new GatewayError('payload_too_large', 'The chunk extensions of the request body are too large.');
    case undefined:
    default:
      return new InvalidRequestError('This is not a valid HTTP request.');
  }
}
