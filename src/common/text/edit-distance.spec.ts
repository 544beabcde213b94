import { expect, it } from '@jest/globals';
import { editDistance } from './edit-distance.js';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'ac', 1],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 2],
])('between %j and %j it is %i', (one, other, expected) => {
  expect([editDistance(one, other), editDistance(other, one)]).toEqual([expected, expected]);
});
