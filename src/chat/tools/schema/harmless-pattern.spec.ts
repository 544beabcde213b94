import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { isHarmlessPattern } from './harmless-pattern.js';

describe('isHarmlessPattern', () => {
  it.each(['^x-', '^[a-z_]+$', '^S_', '.*', '^(foo|bar)$', '[0-9]{1,3}', '^(get|set|put|delete)_[a-z]*$'])(
    'accepts %j',
    (pattern) => {
      expect(isHarmlessPattern(pattern, 'key')).toBe(true);
    },
  );

  it.each([
    `${'a?'.repeat(40)}${'a'.repeat(40)}`,
    `${'(a|a)'.repeat(30)}b`,
    `${'a{0,9}'.repeat(20)}b`,
    'a*a{1,}a{1,9}b',
  ])('refuses %j, which takes exponential or high polynomial time without a quantified group', (pattern) => {
    expect(isHarmlessPattern(pattern, 'a'.repeat(40))).toBe(false);
  });

  it('accepts no pattern that takes long: the worst one is fast', () => {
    const text = 'a'.repeat(128);
    const pattern = '[ab]*[ab]*b?b?c';
    expect(isHarmlessPattern(pattern, text)).toBe(true);
    expect(cpuMs(() => expect(new RegExp(pattern, 'u').test(text)).toBe(false))).toBeLessThan(500);
  });

  it.each(['(a+)+$', '(a|a)*b', '(x){2,}', 'a*a*a*b', '(a)\\1', '[', 'a'.repeat(201)])(
    'refuses %j',
    (pattern) => {
      expect(isHarmlessPattern(pattern, 'key')).toBe(false);
    },
  );

  it('refuses long texts', () => {
    expect(isHarmlessPattern('^x-', 'x'.repeat(129))).toBe(false);
  });
});
