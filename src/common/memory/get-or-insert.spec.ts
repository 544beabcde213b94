import { expect, it } from '@jest/globals';
import { getOrInsert } from './get-or-insert.js';

it('makes the value of a key once, and keeps one that is falsy', () => {
  const known = new Map([['a', 0]]);
  expect(['a', 'b', 'b'].map((key, at) => getOrInsert(known, key, () => at))).toEqual([0, 1, 1]);
  expect([...known]).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});
