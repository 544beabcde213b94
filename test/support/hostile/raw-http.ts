import { connect, type Socket } from 'node:net';
import { PATIENCE_MS } from '../watch/eventually.js';

/** One response as it stood on the wire. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; a header that came twice has both values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Chunked bodies are put together. */
  readonly body: string;
}

export interface ExchangeOptions {
  /** Ends the sending side after the bytes. */
  readonly halfClose?: boolean;
  /** Body of a response to HEAD is not waited for. */
  readonly isHead?: boolean;
}

/**
 * Sends bytes over a connection of their own and reads one final response; interim ones are skipped.
 * Rejects if the connection ends or a minute passes without a whole response.
 */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  options: ExchangeOptions = {},
): Promise<RawResponse> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  try {
    return await new Promise<RawResponse>((resolve, reject) => {
      let received = '';
      socket.setTimeout(PATIENCE_MS, () =>
        reject(new Error(`no answer in time: ${JSON.stringify(received)}`)),
      );
      socket.setEncoding('latin1');
      socket.on('data', (text: string) => {
        received += text;
        const response = parseResponse(received, options.isHead ?? false, false);
        if (response) {
          resolve(response);
        }
      });
      const ended = (): void => {
        const response = parseResponse(received, options.isHead ?? false, true);
        if (response) {
          resolve(response);
        } else {
          reject(new Error(`connection ended early: ${JSON.stringify(received)}`));
        }
      };
      socket.on('end', ended).on('close', ended).on('error', reject);
      send(socket, bytes, options.halfClose ?? false);
    });
  } finally {
    socket.destroy();
  }
}

function send(socket: Socket, bytes: string | Buffer, halfClose: boolean): void {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  if (halfClose) {
    socket.end(buffer);
  } else {
    socket.write(buffer);
  }
}

/** The first final response, once it is whole. */
function parseResponse(text: string, isHead: boolean, isEnded: boolean): RawResponse | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) {
    return undefined;
  }
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = text.slice(headEnd + 4);
  if (status < 200) {
    return parseResponse(rest, isHead, isEnded);
  }
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const length = headers.get('content-length')?.[0];
  const body = isHead
    ? ''
    : headers.has('transfer-encoding')
      ? joinChunks(rest)
      : length === undefined
        ? isEnded && rest
        : rest.length >= Number(length) && rest.slice(0, Number(length));
  return typeof body === 'string'
    ? { status, headers, body: Buffer.from(body, 'latin1').toString() }
    : undefined;
}

function joinChunks(text: string): string | undefined {
  let body = '';
  let rest = text;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n');
    const size = parseInt(rest.slice(0, lineEnd), 16);
    if (lineEnd < 0 || rest.length < lineEnd + 2 + size + 2) {
      return undefined;
    }
    if (size === 0) {
      return body;
    }
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    rest = rest.slice(lineEnd + 2 + size + 2);
  }
}
