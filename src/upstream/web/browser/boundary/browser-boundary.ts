import { NO_PROXIES, type OutboundProxies } from '../proxied-route.js';
import { BoundaryProxy, type RefusedRequest } from './boundary-proxy.js';
import { EgressPolicy, type PageRules } from './egress-policy.js';

/** Without it, Chrome reaches loopback past any proxy. */
const NO_BYPASS = '<-loopback>';

/** Options of a new browser context. */
interface ContextProxy {
  readonly proxyServer: string;
  readonly proxyBypassList: string[];
}

/** A proxy of one browser context. */
export interface ContextBoundary {
  /** Options of `createBrowserContext`. */
  readonly options: ContextProxy;
  /** Why the latest connection to a target was refused or failed; undefined if it stands. */
  readonly failure: Error | undefined;
  /** Ends every connection of the context. May be called twice. */
  close(): void;
}

/**
 * The boundary of one browser process: whatever it sends goes through proxies of the gateway, which pass on what leads to
 * the allowed origins. The browser has one for its own traffic and for contexts that have none, and each account's
 * context has its own, so that a refusal is known to be the account's.
 */
export class BrowserBoundary {
  private readonly proxies = new Set<BoundaryProxy>();
  private isClosed = false;

  private constructor(
    private readonly rules: PageRules,
    private readonly policy: EgressPolicy,
    private readonly own: BoundaryProxy,
  ) {
    this.proxies.add(own);
  }

  /** @param proxies outbound proxies between this machine and the internet */
  static async open(rules: PageRules, proxies: OutboundProxies = NO_PROXIES): Promise<BrowserBoundary> {
    const policy = new EgressPolicy(rules, proxies);
    return new BrowserBoundary(rules, policy, await BoundaryProxy.listen(policy, () => undefined));
  }

  /** Command-line arguments that keep the browser within. */
  get args(): string[] {
    return [
      `--proxy-server=${this.own.url}`,
      `--proxy-bypass-list=${NO_BYPASS}`,
      // A proxy resolves names, so that the browser's own look-ups would only carry data away.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      ...(this.rules.keepsWindows ? [] : ['--block-new-web-contents']),
    ];
  }

  /**
   * Opens a proxy for one context. Rejects once the boundary is closed.
   * @param onRefused called for every request of the context that is refused
   */
  async openContext(onRefused: (refusal: RefusedRequest) => void): Promise<ContextBoundary> {
    const proxy = await BoundaryProxy.listen(this.policy, onRefused);
    if (this.isClosed) {
      proxy.close();
      throw new Error('The browser has ended.');
    }
    this.proxies.add(proxy);
    return {
      options: { proxyServer: proxy.url, proxyBypassList: [NO_BYPASS] },
      get failure() {
        return proxy.failure;
      },
      close: () => {
        this.proxies.delete(proxy);
        proxy.close();
      },
    };
  }

  /** Ends all of it; to be called once the browser has ended. */
  close(): void {
    this.isClosed = true;
    this.proxies.forEach((proxy) => proxy.close());
    this.proxies.clear();
  }
}
