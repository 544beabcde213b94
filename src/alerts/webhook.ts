import { setTimeout as pause } from 'node:timers/promises';
import { basicAuthorization } from '../common/network/basic-authorization.js';
import { type OutboundProxy, proxyFor, type ProxySettings } from '../common/network/proxy/outbound-proxy.js';

const TIMEOUT_MS = 10_000;
/** Waits before the second and the further tries. */
const RETRY_AFTER_MS = [1000, 10_000, 60_000];

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Delivers JSON to a URL, and tries again where that fails. */
export class Webhook {
  private readonly stop = new AbortController();

  /**
   * @param settings proxies that may be on the way
   * @param onLost called when a delivery is given up
   */
  constructor(
    private readonly settings: ProxySettings,
    private readonly onLost: (error: Error) => void,
    private readonly retryAfterMs = RETRY_AFTER_MS,
  ) {}

  /** Resolves to whether it was delivered; never rejects. */
  async send(url: string, body: object): Promise<boolean> {
    try {
      await this.deliver(url, JSON.stringify(body));
      return true;
    } catch (error) {
      if (!this.stop.signal.aborted) {
        this.onLost(error as Error);
      }
      return false;
    }
  }

  /** Gives up what is under way. */
  close(): void {
    this.stop.abort();
  }

  private async deliver(url: string, body: string): Promise<void> {
    for (const delayMs of this.retryAfterMs) {
      try {
        await this.post(url, body);
        return;
      } catch {
        await pause(delayMs, undefined, { signal: this.stop.signal, ref: false });
      }
    }
    await this.post(url, body);
  }

  private async post(url: string, body: string): Promise<void> {
    const address = new URL(url);
    const headers = { 'content-type': 'application/json', ...basicAuthorization(address) };
    // fetch refuses URLs with credentials, and quotes them.
    address.username = '';
    address.password = '';
    const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const proxy = proxyFor(address, this.settings);
    const status = proxy
      ? await postThrough(proxy, address, { headers, body, signal })
      : await postDirectly(address, { headers, body, signal });
    if (status < 200 || status > 299) {
      throw new Error(`The webhook answered with status ${status}.`);
    }
  }
}

async function postDirectly(address: URL, delivery: Delivery): Promise<number> {
  // The address may hold a secret, which must not go elsewhere.
  const response = await fetch(address, { method: 'POST', redirect: 'error', ...delivery });
  await response.body?.cancel();
  return response.status;
}

async function postThrough(proxy: OutboundProxy, address: URL, delivery: Delivery): Promise<number> {
  const { openPool } = await import('../common/network/proxy/outbound-pool.js');
  const pool = openPool(address.origin, proxy, TIMEOUT_MS);
  try {
    const path = address.pathname + address.search;
    return (await pool.request({ method: 'POST', path, ...delivery })).statusCode;
  } finally {
    await pool.destroy();
  }
}
