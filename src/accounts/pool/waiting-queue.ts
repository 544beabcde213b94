interface Waiter<T> {
  /** Ids of the accounts that the request has tried before. */
  readonly tried: ReadonlySet<string>;
  /** Monotonic milliseconds. */
  readonly since: number;
  leave(): void;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** FIFO queue of requests for a session. A request that is aborted leaves it at once. */
export class WaitingQueue<T> {
  private readonly waiters = new Set<Waiter<T>>();

  get size(): number {
    return this.waiters.size;
  }

  /** The head of the queue. */
  get first(): Pick<Waiter<T>, 'tried' | 'since'> | undefined {
    return this.waiters.values().next().value;
  }

  /**
   * @param since monotonic milliseconds
   * @returns the value that serves the request; rejects with the signal's reason if it aborts
   */
  join(tried: ReadonlySet<string>, since: number, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.waiters.delete(waiter);
      };
      const waiter: Waiter<T> = { tried, since, leave, resolve, reject };
      signal.addEventListener('abort', abort);
      this.waiters.add(waiter);
    });
  }

  /**
   * Serves the waiting requests in order. Only a request that has tried accounts before may be passed over: if `offer`
   * has nothing for a request that may have any account, it has nothing for the rest.
   */
  serve(offer: (tried: ReadonlySet<string>) => T | undefined): void {
    for (const waiter of this.waiters) {
      const value = offer(waiter.tried);
      if (value !== undefined) {
        waiter.leave();
        waiter.resolve(value);
      } else if (waiter.tried.size === 0) {
        return;
      }
    }
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
