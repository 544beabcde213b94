import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { type SessionNeed } from '../lease.js';
import { type Demand } from '../pool-growth.js';
import { FairOrder, type QueueTurn } from './fair-order.js';

interface Waiter<T> {
  readonly need: SessionNeed;
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
  /** The same by what they want, see `kindOf`. */
  private readonly byKind = new Map<string, Set<Waiter<T>>>();
  private readonly order = new FairOrder<Waiter<T>>();

  get size(): number {
    return this.waiters.size;
  }

  /** Time since which the request waits that has waited longest; undefined if nobody waits. */
  get waitingSince(): number | undefined {
    const [first] = this.waiters;
    return first?.since;
  }

  /** The models that requests wait for. */
  get models(): readonly string[] {
    return [...new Set(this.demands.map(({ model }) => model))];
  }

  /** What the requests want, by model and account, the one that has waited longest first. */
  get demands(): readonly Demand[] {
    const demands = [];
    for (const waiters of this.byKind.values()) {
      const [first] = waiters;
      if (first) {
        demands.push({ ...first.need, since: first.since, waiting: waiters.size });
      }
    }
    return demands.sort((a, b) => a.since - b.since);
  }

  /**
   * @param since monotonic milliseconds
   * @returns the value that serves the request; rejects with the signal's reason if it aborts
   */
  join(need: SessionNeed, since: number, signal: AbortSignal, turn: QueueTurn): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const leave = () => {
        signal.removeEventListener('abort', abort);
        this.remove(waiter);
        this.order.remove(turn.key, waiter);
      };
      const waiter: Waiter<T> = { need, since, leave, resolve, reject };
      signal.addEventListener('abort', abort);
      this.add(waiter);
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
   * Serves the waiting requests by turns. One for which `offer` has nothing is passed over: the next may be for another
   * model, or have tried other accounts.
   * @param hasMore whether there is anything left for any request
   */
  serve(offer: (need: SessionNeed) => T | undefined, hasMore: () => boolean): void {
    /** Kinds whose requests are offered nothing, apart from those that have tried accounts. */
    const barren = new Set<string>();
    this.order.serve((waiter) => {
      const { tried } = waiter.need;
      const kind = kindOf(waiter.need);
      if (tried.size === 0 && barren.has(kind)) {
        return 'passed';
      }
      const value = offer(waiter.need);
      if (value === undefined) {
        if (tried.size === 0) {
          barren.add(kind);
        }
        return hasMore() ? 'passed' : 'stop';
      }
      waiter.leave();
      waiter.resolve(value);
      return 'served';
    });
  }

  /** Rejects the requests that have waited since then (monotonic milliseconds) or longer. */
  expire(since: number, errorOf: (need: SessionNeed) => unknown): void {
    for (const waiter of this.waiters) {
      if (waiter.since > since) {
        return;
      }
      waiter.leave();
      waiter.reject(errorOf(waiter.need));
    }
  }

  /** Rejects all requests whose need has a refusal, whatever they have tried. */
  refuse(refusalOf: (need: SessionNeed) => Error | undefined): void {
    for (const waiters of this.byKind.values()) {
      const [first] = waiters;
      const refusal = first && refusalOf(first.need);
      if (refusal !== undefined) {
        waiters.forEach((waiter) => {
          waiter.leave();
          waiter.reject(refusal);
        });
      }
    }
  }

  private add(waiter: Waiter<T>): void {
    this.waiters.add(waiter);
    getOrInsert(this.byKind, kindOf(waiter.need), () => new Set()).add(waiter);
  }

  private remove(waiter: Waiter<T>): void {
    this.waiters.delete(waiter);
    const kind = kindOf(waiter.need);
    const others = this.byKind.get(kind);
    others?.delete(waiter);
    if (others?.size === 0) {
      this.byKind.delete(kind);
    }
  }
}

/** What tells the requests apart that are served, or refused, alike: the model, and the account if it must be a certain one. */
function kindOf({ model, only }: SessionNeed): string {
  return only === undefined ? model : `${only} ${model}`;
}
