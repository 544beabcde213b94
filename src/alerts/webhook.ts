import { setTimeout as pause } from 'node:timers/promises';
import { basicAuthorization } from '../common/network/basic-authorization.js';

const TIMEOUT_MS = 10_000;
/** Waits before the second and the further tries. */
const RETRY_AFTER_MS = [1000, 10_000, 60_000];
/** Deliveries that are not over; more are lost. */
const MAX_WAITING = 100;

/** Delivers JSON to a URL in the order in which it was sent, and tries again where that fails. */
export class Webhook {
  private readonly stop = new AbortController();
  private waiting = 0;
  private latest = Promise.resolve(true);

  /** @param onLost called when a delivery is given up */
  constructor(
    private readonly onLost: (error: Error) => void,
    private readonly retryAfterMs = RETRY_AFTER_MS,
  ) {}

  /** Resolves to whether it was delivered; never rejects. */
  send(url: string, body: object): Promise<boolean> {
    if (this.waiting >= MAX_WAITING) {
      this.onLost(new Error('Too many alerts wait for their delivery.'));
      return Promise.resolve(false);
    }
    this.waiting += 1;
    this.latest = this.latest
      .then(() => this.deliver(url, JSON.stringify(body)))
      .then(
        () => true,
        (error: unknown) => {
          if (!this.stop.signal.aborted) {
            this.onLost(error as Error);
          }
          return false;
        },
      )
      .finally(() => (this.waiting -= 1));
    return this.latest;
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
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      // It may hold a secret, which must not go elsewhere.
      redirect: 'error',
      signal: AbortSignal.any([this.stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) {
      throw new Error(`The webhook answered with status ${response.status}.`);
    }
  }
}
