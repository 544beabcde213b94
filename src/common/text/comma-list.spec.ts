import { expect, it } from '@jest/globals';
import { commaList } from './comma-list.js';

it.each([
  ['', []],
  [' , ,', []],
  ['a', ['a']],
  [' a, b c ,,a\n', ['a', 'b c', 'a']],
])('the list %j has the entries %j', (text, entries) => {
  expect(commaList(text)).toEqual(entries);
});
