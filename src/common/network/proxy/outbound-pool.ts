import { buildConnector, type Dispatcher, Pool } from 'undici';
import { type OutboundProxy } from './outbound-proxy.js';
import { openTunnel, ProxyError } from './tunnel.js';

type PoolOptions = Omit<Pool.Options, 'connect' | 'allowH2'>;

/**
 * Kept-alive connections to a server, directly or through a proxy: in a tunnel where TLS keeps the proxy from reading;
 * otherwise it is asked for whole URLs, since many proxies open tunnels to the port of TLS alone. HTTP/1.1 only: there an
 * abort closes the connection, which every server notices. What a proxy refuses fails with a ProxyError.
 * @param limitMs time limit of a connection; making a tunnel may take as long before
 */
export function openPool(
  origin: string,
  proxy: OutboundProxy | undefined,
  limitMs: number,
  options: PoolOptions = {},
): Pool {
  if (!proxy) {
    return new Pool(origin, { ...options, allowH2: false, connect: { timeout: limitMs } });
  }
  return origin.startsWith('https:')
    ? new Pool(origin, { ...options, connect: tunnelling(proxy, limitMs) })
    : new ForwardedPool(origin, proxy, limitMs, options);
}

/** Makes connections for undici: TLS within a tunnel. */
function tunnelling(proxy: OutboundProxy, limitMs: number): buildConnector.connector {
  const secure = buildConnector({ timeout: limitMs, allowH2: false });
  return (options, done) => {
    const target = { host: options.hostname, port: Number(options.port || 443) };
    openTunnel(proxy, target, limitMs).then(
      (httpSocket) => secure({ ...options, httpSocket }, done),
      (error: Error) => done(error, null),
    );
  };
}

/** Connections to a proxy, which is asked for URLs of one server. */
class ForwardedPool extends Pool {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly origin: string,
    private readonly proxy: OutboundProxy,
    limitMs: number,
    options: PoolOptions,
  ) {
    super(proxy.url.origin, { ...options, connect: asItself(proxy, limitMs) });
    this.headers = { host: new URL(origin).host, ...proxy.headers };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(
      {
        ...options,
        path: this.origin + options.path,
        headers: { ...(options.headers as Record<string, string>), ...this.headers },
      },
      apart(handler, this.proxy),
    );
  }
}

/** Tells refusals of the proxy from answers of the server. */
function apart(handler: Dispatcher.DispatchHandler, proxy: OutboundProxy): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (controller, status, ...rest) => {
      const refusal = ProxyError.ofStatus(proxy, status);
      if (refusal) {
        controller.abort(refusal);
      } else {
        handler.onResponseStart?.(controller, status, ...rest);
      }
    },
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

/** Connects to the proxy under its own name, although the requests have the `Host` of the server. */
function asItself(proxy: OutboundProxy, limitMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: limitMs, allowH2: false });
  return (options, done) =>
    connect({ ...options, servername: '' }, (...[error, socket]) =>
      error ? done(new ProxyError(proxy, 'cannot be reached.', error), null) : done(null, socket),
    );
}
