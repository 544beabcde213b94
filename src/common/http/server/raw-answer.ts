import { STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { REASON_HEADER } from '../../errors/failure-reasons.js';
import { type GatewayError } from '../../errors/gateway.errors.js';
import { errorHeaders } from '../answer/error-headers.js';
import { newRequestId, REQUEST_ID_HEADER } from '../answer/request-id.js';
import { SECURITY_HEADERS } from '../answer/security-headers.js';

/** Time to read the answer before the connection is cut, in milliseconds. */
const CLOSE_AFTER_MS = 1000;

/**
 * Answers on a socket for which Node made no response object, then closes the connection: see `../README.md`.
 * @param format default: the contract's envelope
 * @param id of the request; default: a new one
 */
export function sendRawError(
  socket: Duplex,
  error: GatewayError,
  format = DEFAULT_ERROR_FORMAT,
  id = newRequestId(),
): void {
  closeGently(socket, rawErrorText(error, format, id));
}

/** Closes a connection once all that was written, and a last text, had time to arrive. */
export function closeGently(socket: Duplex, lastText = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // The caller may have left already, or leave during the write.
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), CLOSE_AFTER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastText);
  // Incoming bytes are discarded: closing a socket with unread bytes resets it, and the answer would be lost.
  socket.resume();
}

function rawErrorText(error: GatewayError, format: ErrorFormat, id: string): string {
  const status = format.status(error);
  const body = JSON.stringify(format.body(error, id));
  const headers = [
    [REQUEST_ID_HEADER, id],
    ...SECURITY_HEADERS,
    ...Object.entries({ ...format.headers?.(id), ...errorHeaders(error) }),
    [REASON_HEADER, error.reason],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', Buffer.byteLength(body)],
    ['Connection', 'close'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
