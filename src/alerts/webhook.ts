const TIMEOUT_MS = 10_000;
/** Waits before the second and the further tries. */
const RETRY_AFTER_MS = [1000, 10_000, 60_000];
/** Deliveries that are not over; more are lost. */
const MAX_WAITING = 100;

/** Delivers JSON to a URL in the order in which it was sent, and tries again where that fails. */
export class Webhook {
  private readonly stop = new AbortController();
  private waiting = 0;
  private latest: Promise<void> = Promise.resolve();

  /** @param onLost called when a delivery is given up */
  constructor(private readonly onLost: (error: unknown) => void) {}

  send(url: string, body: object): void {
    if (this.waiting >= MAX_WAITING) {
      this.onLost(new Error('Too many alerts wait for their delivery.'));
      return;
    }
    this.waiting += 1;
    this.latest = this.latest
      .then(() => this.deliver(url, JSON.stringify(body)))
      .catch((error: unknown) => (this.stop.signal.aborted ? undefined : this.onLost(error)))
      .then(() => void (this.waiting -= 1));
  }

  /** Gives up what is under way. */
  close(): void {
    this.stop.abort();
  }

  private async deliver(url: string, body: string): Promise<void> {
    for (const delayMs of RETRY_AFTER_MS) {
      try {
        await this.post(url, body);
        return;
      } catch {
        await this.wait(delayMs);
      }
    }
    await this.post(url, body);
  }

  private async post(url: string, body: string): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
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

  private wait(ms: number): Promise<void> {
    const { signal } = this.stop;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        reject(new Error('The gateway stops.'));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', leave);
        resolve();
      }, ms).unref();
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) {
        leave();
      }
    });
  }
}
