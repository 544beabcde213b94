import { expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from './advisory-locks.js';

it('no two advisory locks have the same key', () => {
  const keys = Object.values(ADVISORY_LOCKS);
  expect([...new Set(keys)]).toEqual(keys);
});
