import { describe, expect, it } from '@jest/globals';
import { randomHex } from './random-hex.js';

describe('randomHex', () => {
  it('draws 32 digits, never the same, beyond what is drawn at once', () => {
    const ids = Array.from({ length: 1000 }, randomHex);
    expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
