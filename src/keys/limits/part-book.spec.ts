import { describe, expect, it } from '@jest/globals';
import { type AccessKey, eachLimit, NO_LIMITS } from '../access-key.js';
import { PartBook } from './part-book.js';
import { type StoredPart } from './part-statements.js';

const ANN = { key: 'ann', name: 'requestsPerMinute' } as const;
const keyOf = (name: string, requestsPerMinute: number | null): AccessKey =>
  ({ ...NO_LIMITS, name, requestsPerMinute }) as AccessKey;
const partOf = (changes: Partial<StoredPart> = {}): StoredPart => ({
  ...ANN,
  amount: 100,
  want: 28,
  taken: 100,
  missing: 0,
  ...changes,
});

function bookOf(keys = [keyOf('ann', 100)]) {
  const book = new PartBook();
  const demand = { used: 0, wanted: 0 };
  book.serve({
    demandOf: () => eachLimit(() => demand),
  });
  book.keysChanged(keys);
  return { book, demand };
}

describe('PartBook', () => {
  it('has news of what is new, and none of what is as it should be', () => {
    const { book } = bookOf();
    expect([...book.changes()]).toEqual([[expect.objectContaining(ANN)]]);
    book.note([partOf()], []);
    expect([...book.changes()]).toEqual([[]]);
  });

  it('takes units that are given up out of use at once, and has them again when they are read', () => {
    const { book } = bookOf();
    book.note([partOf({ missing: 30 })], []);
    expect(book.order([ANN])).toEqual([{ ...ANN, limit: 100, keep: 70, target: 70, want: 28 }]);
    expect(book.amountOf(ANN)).toBe(70);
    book.doubt([ANN]);
    expect(book.doubtful(10)).toMatchObject([ANN]);
    book.note([partOf()], [ANN]);
    expect(book.amountOf(ANN)).toBe(100);
    expect(book.doubtful(10)).toEqual([]);
  });

  it('orders by the use of this moment', () => {
    const { book, demand } = bookOf();
    book.note([partOf({ missing: 100 })], []);
    book.nodes = 2;
    const [news] = [...book.changes()];
    demand.used = demand.wanted = 90;
    expect(book.order(news!)).toMatchObject([{ keep: 90 }]);
  });

  it('uses nothing that was forfeited, and forgets what is not found again', () => {
    const { book } = bookOf();
    book.note([partOf()], []);
    book.forfeit();
    expect(book.amountOf(ANN)).toBe(0);
    book.note([], book.doubtful(10));
    expect(book.doubtful(10)).toEqual([]);
    expect(book.order([ANN])).toMatchObject([{ keep: 0, target: 100 }]);
  });

  it('gives up the parts of a key that is gone, or has no limit any more', () => {
    const { book } = bookOf();
    book.note([partOf()], []);
    book.keysChanged([keyOf('ann', null)]);
    expect(book.isEmpty).toBe(false);
    expect(book.order([...book.changes()].flat())).toEqual([
      { ...ANN, limit: 0, keep: 0, target: 0, want: 0 },
    ]);
    book.note([partOf({ amount: 0, want: 0 })], [ANN]);
    expect([...book.changes()]).toEqual([[]]);
    book.keysChanged([]);
    expect(book.isEmpty).toBe(true);
  });

  it('has doubts in no more parts than asked at a time', () => {
    const { book } = bookOf();
    book.note([partOf(), partOf({ key: 'bob' }), partOf({ key: 'eve' })], []);
    book.doubt();
    expect(book.doubtful(2)).toHaveLength(2);
    book.note([], book.doubtful(2));
    expect(book.doubtful(2)).toMatchObject([{ key: 'eve' }]);
  });
});
