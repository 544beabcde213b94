import { expect, test } from '@jest/globals';
import { matchesVersion } from './version-match.js';

test.each(['"a1"', 'a1', '*', '"b2", "a1"', '"b2","a1"', ' "a1" '])('%s matches', (ifMatch) => {
  expect(matchesVersion(ifMatch, 'a1')).toBe(true);
});

test.each(['', '""', '"a"', 'W/"a1"', '"a1', '"A1"', '"a1 "', '"b2", W/"a1"'])('%s does not', (ifMatch) => {
  expect(matchesVersion(ifMatch, 'a1')).toBe(false);
});
