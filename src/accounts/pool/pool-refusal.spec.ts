import { describe, expect, it } from '@jest/globals';
import { poolRefusal } from './pool-refusal.js';

describe('poolRefusal', () => {
  it.each([
    ['the operator', false, 'no_account', 60_000],
    ['the shared database, which may be back at any moment', true, 'database_away', 2000],
  ])('waits for %s where no account is left', (_what, isDatabaseAway, reason, retryAfterMs) => {
    const refusal = poolRefusal([], { monotonic: 0, wall: 0 }, 0, isDatabaseAway);
    expect(refusal).toMatchObject({ reason, retryAfterMs });
  });
});
