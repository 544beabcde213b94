import { describe, expect, it } from '@jest/globals';
import { toInteger } from './integer.js';

describe('toInteger', () => {
  it('reads up to 15 digits, which a number holds exactly', () => {
    expect(['0', '007', '-1', '9'.repeat(15)].map(toInteger)).toEqual([0, 7, -1, 999_999_999_999_999]);
  });

  it('leaves any other value to the check after it', () => {
    const others = ['', ' 1', '1.5', '1e3', '0x1', '+1', '9'.repeat(16), ['1'], 1.5, null, undefined];
    expect(others.map(toInteger)).toEqual(others);
  });
});
