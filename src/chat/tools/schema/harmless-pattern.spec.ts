import { describe, expect, it } from '@jest/globals';
import { isHarmlessPattern } from './harmless-pattern.js';

describe('isHarmlessPattern', () => {
  it.each(['^x-', '^[a-z_]+$', '^S_', '.*', '^(foo|bar)$', '[0-9]{1,3}'])('lets %j be tried', (pattern) => {
    expect(isHarmlessPattern(pattern, 'key')).toBe(true);
  });

  it.each(['(a+)+$', '(a|a)*b', '(x){2,}', 'a*a*a*b', '(a)\\1', '[', 'a'.repeat(201)])(
    'lets %j be',
    (pattern) => {
      expect(isHarmlessPattern(pattern, 'key')).toBe(false);
    },
  );

  it('tries none on long texts', () => {
    expect(isHarmlessPattern('^x-', 'x'.repeat(129))).toBe(false);
  });
});
