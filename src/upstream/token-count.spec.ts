import { describe, expect, it } from '@jest/globals';
import { tokenCount } from './token-count.js';

describe('tokenCount', () => {
  it.each([0, 1, 65_536, Number.MAX_SAFE_INTEGER])('takes %d', (value) => {
    expect(tokenCount(value)).toBe(value);
  });

  it.each([-1, 1.5, 1e20, 2 ** 53, Infinity, NaN, '7', null, undefined, true, {}, []])(
    'refuses %p',
    (value) => {
      expect(tokenCount(value)).toBeUndefined();
    },
  );
});
