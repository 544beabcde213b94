import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type OutboundProxy } from './outbound-proxy.js';

/** As undici has it for connections that it makes itself. */
const KEEP_ALIVE_MS = 60_000;

/** Why a proxy did not do its part; says which one, without its password. */
export class ProxyError extends Error {
  override name = 'ProxyError';

  constructor({ label }: Pick<OutboundProxy, 'label'>, what: string, cause?: Error) {
    super(`The ${label} ${what}`, cause && { cause });
  }

  /** For an answer of a proxy that is none of the server's; undefined for any other status. */
  static ofStatus(proxy: OutboundProxy, status: number): ProxyError | undefined {
    return status === 407
      ? new ProxyError(
          proxy,
          `needs a name and a password, or rejects those in ${proxy.variable} (status 407).`,
        )
      : undefined;
  }
}

/** Far end of a tunnel; IPv6 addresses with or without brackets. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

/** Begins to connect to a proxy itself, by TLS for `https://`: its certificate is for its own name. */
export function dialProxy({ url: { protocol, hostname, port } }: Pick<OutboundProxy, 'url'>): Socket {
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port || 443), servername: isIP(host) === 0 ? host : '' })
    : connect({ host, port: Number(port || 80) });
}

/**
 * Has a proxy connect to a server (`CONNECT`). The connection is then like one of our own.
 * @param signal gives it up
 * @throws ProxyError
 */
export function openTunnel(
  proxy: OutboundProxy,
  { host, port }: TunnelTarget,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Socket> {
  const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const asked = request({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxy.headers },
    createConnection: () => dialProxy(proxy),
    signal,
  });
  const limit = setTimeout(() => asked.destroy(new Error(`No answer within ${limitMs} ms.`)), limitMs);
  asked.once('close', () => clearTimeout(limit));
  asked.once('error', (error) => reject(new ProxyError(proxy, `did not connect to ${authority}.`, error)));
  asked.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
    clearTimeout(limit);
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      reject(
        ProxyError.ofStatus(proxy, statusCode) ??
          new ProxyError(proxy, `refused the connection to ${authority} with status ${statusCode}.`),
      );
      return;
    }
    socket.unshift(head);
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    resolve(socket);
  });
  asked.end();
  return promise;
}
