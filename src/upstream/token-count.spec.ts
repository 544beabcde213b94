import { describe, expect, it } from '@jest/globals';
import { tokenCount } from './token-count.js';

describe('tokenCount', () => {
  it.each([0, 1, 65_536, 1_000_000_000])('takes %d', (value) => {
    expect(tokenCount(value)).toBe(value);
  });

  it.each([
    -1,
    1.5,
    1_000_000_001,
    Number.MAX_SAFE_INTEGER,
    1e20,
    Infinity,
    NaN,
    '7',
    null,
    undefined,
    true,
    {},
    [],
  ])('refuses %p', (value) => {
    expect(tokenCount(value)).toBeUndefined();
  });
});
