import { getOrInsert } from '../../../common/memory/get-or-insert.js';
/** Whose turn a waiting request takes. */
export interface QueueTurn {
  /** Requests with the same key share one place in the round; '' for those without one. */
  readonly key: string;
  /** Requests that are served a round, e.g. 1, or 0.25 for one in four rounds. */
  readonly weight: number;
}

/** The turn of a request without a key. */
export const COMMON_TURN: QueueTurn = { key: '', weight: 1 };

interface Lane<T> {
  readonly weight: number;
  readonly waiting: Set<T>;
  /** Requests that it may have served in this round. */
  credit: number;
}

/**
 * Deficit round robin over keys: each has a lane of waiting requests, and the lanes take turns. However many requests one
 * key has waiting, another key's first one is delayed by one turn of it at most. A lane that is empty leaves the round,
 * and takes no credit along.
 */
export class FairOrder<T> {
  /** In the order of their turns; the first is at turn. */
  private readonly lanes = new Map<string, Lane<T>>();

  add({ key, weight }: QueueTurn, item: T): void {
    const lane = getOrInsert(this.lanes, key, () => ({ weight, waiting: new Set(), credit: 0 }));
    lane.waiting.add(item);
  }

  /** Takes an item out, whether it was served or gave up. */
  remove(key: string, item: T): void {
    const lane = this.lanes.get(key);
    lane?.waiting.delete(item);
    if (lane?.waiting.size === 0) {
      this.lanes.delete(key);
    }
  }

  /**
   * Offers items in turn until one is refused that says that the rest would be, too.
   * @param offer `served`: the item was removed. `passed`: this one cannot be served, others of its lane may. `stop`: no
   *   item can be served now.
   */
  serve(offer: (item: T) => 'served' | 'passed' | 'stop'): void {
    let barren = 0;
    while (barren < this.lanes.size) {
      const [first] = this.lanes;
      if (!first) {
        return;
      }
      const [key, lane] = first;
      if (lane.credit < 1) {
        lane.credit += lane.weight;
      }
      const outcome = lane.credit < 1 ? 'waits' : offerFirst(lane, offer);
      if (outcome === 'stop') {
        // It keeps its turn.
        return;
      }
      if (outcome === 'served') {
        lane.credit -= 1;
      }
      barren = outcome === 'passed' ? barren + 1 : 0;
      if (this.lanes.get(key) === lane && (lane.credit < 1 || outcome === 'passed')) {
        this.lanes.delete(key);
        this.lanes.set(key, lane);
      }
    }
  }

  /** The latest item of the key with the most waiting ones, if it has more than `key` would have with one more. */
  latestOfLongest(key: string): T | undefined {
    let longest: Lane<T> | undefined;
    for (const lane of this.lanes.values()) {
      if (lane.waiting.size > (longest?.waiting.size ?? 0)) {
        longest = lane;
      }
    }
    const own = this.lanes.get(key)?.waiting.size ?? 0;
    return longest && longest.waiting.size > own + 1 ? [...longest.waiting].at(-1) : undefined;
  }
}

function offerFirst<T>(
  { waiting }: Lane<T>,
  offer: (item: T) => 'served' | 'passed' | 'stop',
): 'served' | 'passed' | 'stop' {
  for (const item of waiting) {
    const outcome = offer(item);
    if (outcome !== 'passed') {
      return outcome;
    }
  }
  return 'passed';
}
