import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { slowLines } from './slow-lines.js';

describe('slowLines', () => {
  it.each([
    ['in brackets', (seconds: string) => `✓ adds (${seconds}s)`],
    ['in words', (seconds: string) => `Test Case 'adds' passed (${seconds} seconds).`],
    ['in front of a name', (seconds: string) => `Tests run: 4, Time elapsed: ${seconds} s -- in CalcTest`],
  ])('finds the one test that took far longer: %s', (_name, line) => {
    const lines = range(0, 39).map((at) => line(at === 17 ? '38.2' : `0.0${at % 9}`));
    expect(slowLines(lines)).toEqual([17]);
  });
});
