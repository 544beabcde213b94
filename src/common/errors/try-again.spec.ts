import { describe, expect, it } from '@jest/globals';
import { toldWaitMs, tryAgainIn } from './try-again.js';

describe('tryAgainIn', () => {
  it('names whole seconds, at least one', () => {
    expect([0, 1, 1001].map(tryAgainIn)).toEqual([
      'Please try again in 1s.',
      'Please try again in 1s.',
      'Please try again in 2s.',
    ]);
  });
});

describe('toldWaitMs', () => {
  it('reads what a message names', () => {
    expect([`All are busy. ${tryAgainIn(41_500)}`, 'All are busy.'].map(toldWaitMs)).toEqual([
      42_000,
      undefined,
    ]);
  });
});
