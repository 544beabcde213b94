import { describe, expect, it } from '@jest/globals';
import { matchesVersion } from './version-match.js';

describe('matchesVersion', () => {
  it.each(['"a1"', 'a1', '*', '"b2", "a1"', '"b2","a1"', ' "a1" '])('accepts %s', (ifMatch) => {
    expect(matchesVersion(ifMatch, 'a1')).toBe(true);
  });

  it.each(['', '""', '"a"', 'W/"a1"', '"a1', '"A1"', '"a1 "', '"b2", W/"a1"'])('rejects %s', (ifMatch) => {
    expect(matchesVersion(ifMatch, 'a1')).toBe(false);
  });
});
