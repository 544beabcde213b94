import { describe, expect, it } from '@jest/globals';
import { HeldTenure } from './held-tenure.js';
import { type Grant, partOfShare, TenureBook } from './tenure-book.js';
import { TenureClock } from './tenure-clock.js';

const NOW = { monotonic: 0, wall: 1000 };
const GRANTS: readonly Grant[] = [0, 1].map((share) => ({ account: 'a', share, term: 7, isAskedFor: true }));

it('a share goes to another node only once the prompts with its fence have arrived', () => {
  const book = new TenureBook(new TenureClock(3000));
  book.beatAnswered(GRANTS, NOW);
  const tenure = new HeldTenure(
    'a',
    2,
    book,
    () => NOW,
    () => true,
    () => true,
  );
  const fences = [tenure.nextFence(), tenure.nextFence(), tenure.nextFence()];
  expect(fences).toEqual(['0/7', '1/7', '0/7']);
  const toRelease = (): readonly number[] => {
    book.releaseLeaving(() => true);
    return book.toRelease.map(({ share }) => share);
  };
  book.giveWay(
    0,
    () => true,
    NOW,
    () => false,
  );
  expect([book.mayRelease(() => true), toRelease()]).toEqual([false, []]);
  tenure.arrived('1/7');
  expect([book.mayRelease(() => true), toRelease()]).toEqual([true, [1]]);
  tenure.arrived('0/7');
  // A beat between renews what stays.
  book.beatAnswered(GRANTS, NOW);
  expect([tenure.honours('0/7'), toRelease()]).toEqual([true, [1]]);
  tenure.arrived('0/7');
  expect(toRelease()).toEqual([1, 0]);
  expect(tenure.honours('0/7')).toBe(false);
});

describe('the parts of a limit', () => {
  const partsOf = (limit: number) => Array.from({ length: 8 }, (_, share) => partOfShare(limit, share, 8));

  it.each([1, 4, 7, 8, 12, 64])('add up to it, and leave no share in use without one (%i)', (limit) => {
    const parts = partsOf(limit);
    expect(parts.reduce((sum, part) => sum + part)).toBe(limit);
    expect(parts.filter((part) => part > 0)).toHaveLength(Math.min(8, limit));
    expect(parts[0]).toBeGreaterThan(0);
  });
});
