import { STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';
import { ERROR_CATALOG } from '../../errors/error-catalog.js';
import { toErrorEnvelope } from '../../errors/error-envelope.js';
import { type GatewayError } from '../../errors/gateway.errors.js';
import { newRequestId, REQUEST_ID_HEADER } from '../answer/request-id.js';
import { SECURITY_HEADERS } from '../answer/security-headers.js';

/** How long a caller has to read what was sent before the connection is cut. */
const CLOSE_AFTER_MS = 1000;

/** Writes an error answer straight onto a socket that has no response object, then closes the connection. */
export function sendRawError(socket: Duplex, error: GatewayError): void {
  closeGently(socket, rawErrorText(error));
}

/** Closes a connection after everything that was written to it, and a last text, had time to arrive. */
export function closeGently(socket: Duplex, lastText = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // The other side may be gone already, or go while it is written to.
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), CLOSE_AFTER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastText);
  // What still arrives is thrown away: a close with unread bytes would reset the connection under the answer.
  socket.resume();
}

function rawErrorText(error: GatewayError): string {
  const { status } = ERROR_CATALOG[error.code];
  const body = JSON.stringify(toErrorEnvelope(error));
  const headers = [
    [REQUEST_ID_HEADER, newRequestId()],
    ...SECURITY_HEADERS,
    ...Object.entries(error.headers),
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', Buffer.byteLength(body)],
    ['Connection', 'close'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
