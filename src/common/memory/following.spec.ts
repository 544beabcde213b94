import { expect, it } from '@jest/globals';
import { following } from './following.js';

it('derives anew when one of the texts has changed, and not before', () => {
  let second = 'b';
  const value = following(
    () => ['a', second],
    (one, other) => ({ joined: one + other }),
  );
  const derived = value();
  expect(derived).toEqual({ joined: 'ab' });
  expect(value()).toBe(derived);
  second = 'c';
  expect(value()).toEqual({ joined: 'ac' });
});
