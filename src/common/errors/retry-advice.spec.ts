import { describe, expect, it } from '@jest/globals';
import { advisedWaitMs, retryAdvice } from './retry-advice.js';

describe('retryAdvice', () => {
  it('names whole seconds, at least one', () => {
    expect([0, 1, 1001].map(retryAdvice)).toEqual([
      'Please try again in 1s.',
      'Please try again in 1s.',
      'Please try again in 2s.',
    ]);
  });
});

describe('advisedWaitMs', () => {
  it('reads what a message names', () => {
    expect([`All are busy. ${retryAdvice(41_500)}`, 'All are busy.'].map(advisedWaitMs)).toEqual([
      42_000,
      undefined,
    ]);
  });
});
