import { describe, expect, it } from '@jest/globals';
import { tryAgainIn } from './try-again.js';

describe('tryAgainIn', () => {
  it('names whole seconds, at least one', () => {
    expect([0, 1, 1001].map(tryAgainIn)).toEqual([
      'Please try again in 1s.',
      'Please try again in 1s.',
      'Please try again in 2s.',
    ]);
  });
});
