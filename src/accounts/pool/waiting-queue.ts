interface Waiter<T> {
  /** Accounts that the waiting request has tried before. */
  readonly tried: ReadonlySet<string>;
  /** Monotonic milliseconds. */
  readonly since: number;
  leave(): void;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Requests that wait for a session, first come, first served. One that gives up frees its place at once. */
export class WaitingQueue<T> {
  private readonly waiters = new Set<Waiter<T>>();

  get size(): number {
    return this.waiters.size;
  }

  /** The request that has waited longest. */
  get first(): Pick<Waiter<T>, 'tried' | 'since'> | undefined {
    return this.waiters.values().next().value;
  }

  /** Rejects with the signal's reason if it aborts. */
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
   * Offers what is there to each waiter in order. Only one that has tried accounts before may be passed over:
   * if `offer` has nothing for a request without such wishes, it has nothing for anybody.
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

  /** Refuses those who have waited since a moment, or longer. */
  expire(since: number, error: () => unknown): void {
    for (const waiter of this.waiters) {
      if (waiter.since > since) {
        return;
      }
      waiter.leave();
      waiter.reject(error());
    }
  }

  refuseAll(error: unknown): void {
    for (const waiter of this.waiters) {
      waiter.leave();
      waiter.reject(error);
    }
  }
}
