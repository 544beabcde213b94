import { expect, it } from '@jest/globals';
import { shortened } from './shortened.js';

it.each([
  ['', ''],
  ['abcde', 'abcde'],
  ['abcdef', 'abcd…'],
  ['abc😀de', 'abc\uFFFD…'],
])('writes %j in five characters as %j', (text, expected) => {
  expect(shortened(text, 5)).toBe(expected);
});
