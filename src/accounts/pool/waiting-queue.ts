import { FairOrder, type QueueTurn } from './fair-order.js';

interface Waiter<T> {
  /** Ids of the accounts that the request has tried before. */
  readonly tried: ReadonlySet<string>;
  /** Monotonic milliseconds. */
  readonly since: number;
  leave(): void;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Requests for a session: each key's in the order of their arrival, the keys by turns. One that is aborted leaves at once. */
export class WaitingQueue<T> {
  /** In the order of their arrival. */
  private readonly waiters = new Set<Waiter<T>>();
  private readonly order = new FairOrder<Waiter<T>>();

  get size(): number {
    return this.waiters.size;
  }

  /** The one that has waited longest. */
  get first(): Pick<Waiter<T>, 'tried' | 'since'> | undefined {
    return this.waiters.values().next().value;
  }

  /**
   * @param since monotonic milliseconds
   * @returns the value that serves the request; rejects with the signal's reason if it aborts
   */
  join(tried: ReadonlySet<string>, since: number, signal: AbortSignal, turn: QueueTurn): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.waiters.delete(waiter);
        this.order.remove(turn.key, waiter);
      };
      const waiter: Waiter<T> = { tried, since, leave, resolve, reject };
      signal.addEventListener('abort', abort);
      this.waiters.add(waiter);
      this.order.add(turn, waiter);
    });
  }

  /**
   * Makes a place in a full queue for a request of a key that has fewer waiting: the latest request of the key with the
   * most gives way.
   * @returns whether there was one
   */
  displace(key: string, error: () => unknown): boolean {
    const waiter = this.order.latestOfLongest(key);
    waiter?.leave();
    waiter?.reject(error());
    return waiter !== undefined;
  }

  /**
   * Serves the waiting requests by turns. Only a request that has tried accounts before may be passed over: if `offer`
   * has nothing for a request that may have any account, it has nothing for the rest.
   */
  serve(offer: (tried: ReadonlySet<string>) => T | undefined): void {
    this.order.serve((waiter) => {
      const value = offer(waiter.tried);
      if (value === undefined) {
        return waiter.tried.size === 0 ? 'stop' : 'passed';
      }
      waiter.leave();
      waiter.resolve(value);
      return 'served';
    });
  }

  /** Rejects the requests that have waited since then (monotonic milliseconds) or longer. */
  expire(since: number, error: () => unknown): void {
    for (const waiter of this.waiters) {
      if (waiter.since > since) {
        return;
      }
      waiter.leave();
      waiter.reject(error());
    }
  }

  /** Rejects all requests. */
  refuseAll(error: unknown): void {
    for (const waiter of this.waiters) {
      waiter.leave();
      waiter.reject(error);
    }
  }
}
