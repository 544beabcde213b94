import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairOrder } from './fair-order.js';

type Item = readonly [key: string, number: number];

function orderOf(lanes: Readonly<Record<string, { readonly count: number; readonly weight?: number }>>): {
  readonly order: FairOrder<Item>;
  /** Serves so many items one by one, as sessions become free. */
  readonly served: (count: number) => string[];
} {
  const order = new FairOrder<Item>();
  for (const [key, { count, weight = 1 }] of Object.entries(lanes)) {
    for (let number = 0; number < count; number += 1) {
      order.add({ key, weight }, [key, number]);
    }
  }
  const served = (count: number): string[] =>
    Array.from({ length: count }, () => {
      let taken: Item | undefined;
      order.serve((item) => {
        if (taken) {
          return 'stop';
        }
        taken = item;
        order.remove(item[0], item);
        return 'served';
      });
      return taken ? `${taken[0]}${taken[1]}` : '-';
    });
  return { order, served };
}

describe('FairOrder', () => {
  it('lets keys take turns, each in the order of its requests', () => {
    const { served } = orderOf({ a: { count: 99 }, b: { count: 2 }, c: { count: 1 } });
    expect(served(7)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  });

  it('serves a late first request of a key after one turn of another', () => {
    const { order, served } = orderOf({ a: { count: 99 } });
    served(10);
    order.add({ key: 'b', weight: 1 }, ['b', 0]);
    expect(served(2)).toContain('b0');
  });

  it('serves a key of a quarter of the weight once for four of another, and alone without delay', () => {
    const { served } = orderOf({ a: { count: 8 }, b: { count: 3, weight: 0.25 } });
    expect(served(11).join(' ')).toBe('a0 a1 a2 a3 b0 a4 a5 a6 a7 b1 b2');
  });

  it('passes over items that cannot be served, and stops where none can', () => {
    const order = new FairOrder<Item>();
    const items: Item[] = [
      ['a', 0],
      ['a', 1],
      ['b', 0],
    ];
    items.forEach((item) => order.add({ key: item[0], weight: 1 }, item));
    const offered: string[] = [];
    order.serve((item) => {
      offered.push(item.join(''));
      return 'passed';
    });
    expect(offered).toEqual(['a0', 'a1', 'b0']);
    offered.length = 0;
    order.serve((item) => {
      offered.push(item.join(''));
      return 'stop';
    });
    expect(offered).toHaveLength(1);
  });

  it('finds whom a newcomer may displace', () => {
    const { order } = orderOf({ a: { count: 3 }, b: { count: 2 } });
    expect(order.latestOfLongest('c')).toEqual(['a', 2]);
    expect(order.latestOfLongest('b')).toBeUndefined();
    expect(order.latestOfLongest('a')).toBeUndefined();
  });

  it('serves everything once, and no key twice in a round in which another waits', () => {
    const counts = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.record({ count: fc.integer({ min: 1, max: 9 }) }),
    );
    fc.assert(
      fc.property(counts, (lanes) => {
        const total = Object.values(lanes).reduce((sum, { count }) => sum + count, 0);
        const all = orderOf(lanes).served(total + 1);
        expect(all.pop()).toBe('-');
        expect(new Set(all).size).toBe(total);
        const left = new Map(Object.entries(lanes).map(([key, { count }]) => [key, count]));
        for (const [index, name] of all.entries()) {
          const key = name[0] ?? '';
          const isTwice = index > 0 && all[index - 1]?.[0] === key;
          const others = [...left].filter(([other, count]) => other !== key && count > 0);
          expect(isTwice && others.length > 0).toBe(false);
          left.set(key, (left.get(key) ?? 0) - 1);
        }
      }),
    );
  });
});
