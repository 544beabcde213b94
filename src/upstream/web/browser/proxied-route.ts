import { type Socket } from 'node:net';
import {
  type OutboundProxy,
  proxyFor,
  type ProxySettings,
} from '../../../common/network/proxy/outbound-proxy.js';
import {
  dialProxy,
  openTunnel,
  ProxyError,
  type TunnelTarget,
} from '../../../common/network/proxy/tunnel.js';
import { isBrokenConnection } from '../../connect-failure.js';

/** The settings of a machine's outbound proxies. */
export type OutboundProxies = ProxySettings;

/** Of a machine that reaches the internet by itself. */
export const NO_PROXIES: OutboundProxies = { NO_PROXY: '' };

/** The route of a browser's connections through an outbound proxy. */
export class ProxiedRoute {
  private constructor(private readonly proxy: OutboundProxy) {}

  /** The route to a target; undefined for one that is reached directly. */
  static to(target: URL, proxies: OutboundProxies): ProxiedRoute | undefined {
    const proxy = proxyFor(target, proxies);
    return proxy && new ProxiedRoute(proxy);
  }

  /** Header fields of each request to the proxy itself, names and values in turn. */
  get fields(): readonly string[] {
    return Object.entries(this.proxy.headers).flat();
  }

  /** See `openTunnel`. */
  tunnel(target: TunnelTarget, limitMs: number, signal: AbortSignal): Promise<Socket> {
    return openTunnel(this.proxy, target, limitMs, signal);
  }

  /** Begins to connect to the proxy, to ask it for whole URLs. */
  dial(): Socket {
    return dialProxy(this.proxy);
  }

  /** What a response says for the proxy itself; undefined if it is the target's. */
  refusal(status: number): Error | undefined {
    return ProxyError.ofStatus(this.proxy, status);
  }

  /** The failure of a request, which is the proxy's unless its connection stood and broke, as those of targets do. */
  failure(error: NodeJS.ErrnoException): Error {
    return error instanceof ProxyError || isBrokenConnection(error)
      ? error
      : new ProxyError(this.proxy, 'cannot be reached.', error);
  }
}
