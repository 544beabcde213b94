import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { PatternMatcher } from './pattern-matcher.js';

const LONGEST = 'a'.repeat(128);

describe('PatternMatcher', () => {
  it.each([
    ['^x-', 'x-a'],
    ['^[a-z_]+$', 'a_b'],
    ['.*', ''],
    ['^(foo|bar)$', 'bar'],
    ['[0-9]{1,3}', 'a12'],
    ['^(get|set|put|delete)_[a-z]*$', 'put_it'],
    ['^\\p{L}+$', 'é'],
    ['^[a-z]+_[a-z]+$', `${'a'.repeat(100)}_b`],
  ])('tries %j', (pattern, text) => {
    expect(new PatternMatcher().matches(pattern, text)).toBe(true);
    expect(new PatternMatcher().matches(pattern, '\n')).toBe(pattern === '.*');
  });

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(x){2,}',
    '(a)\\1',
    '[',
    'a'.repeat(201),
    `${'a?'.repeat(40)}${'a'.repeat(40)}`,
    `${'(a|a)'.repeat(30)}b`,
    `${'a{0,9}'.repeat(20)}b`,
    'a*a*a*a*b',
  ])('does not try %j, which is no expression or could take long', (pattern) => {
    expect(new PatternMatcher().matches(pattern, LONGEST)).toBeUndefined();
  });

  it('tries none on a long text', () => {
    const matcher = new PatternMatcher();
    expect(matcher.matches('^a', LONGEST)).toBe(true);
    expect(matcher.matches('^a', `${LONGEST}a`)).toBeUndefined();
  });

  it('counts what tries may take together, by the length of the text', () => {
    const tried = (pattern: string, text: string): number => {
      const matcher = new PatternMatcher(2 ** 23 + 2 ** 19);
      let tries = 0;
      while (matcher.matches(pattern, text) !== undefined) {
        tries++;
      }
      return tries;
    };
    expect(tried('a*a*a?a?b', LONGEST)).toBe(1);
    expect(tried('a*a*a?a?b', 'a'.repeat(31))).toBe(67);
    expect(tried('^x-', 'name')).toBeGreaterThan(100_000);
  });

  it('leaves cheap patterns their share behind one that is too costly', () => {
    const matcher = new PatternMatcher();
    expect(matcher.matches('a*a*a*a*b', LONGEST)).toBeUndefined();
    expect(matcher.matches('^a', LONGEST)).toBe(true);
    expect(matcher.isSpent).toBe(false);
  });

  it('counts patterns that are only compiled, and texts that are too long', () => {
    const matcher = new PatternMatcher();
    let tries = 0;
    for (; !matcher.isSpent; tries++) {
      matcher.matches(`^a${tries}`, tries % 2 === 0 ? 'b' : `${LONGEST}a`);
    }
    expect(tries).toBeLessThan(5000);
    expect(matcher.matches('^b', 'b')).toBeUndefined();
  });

  it('takes no longer than its steps say', () => {
    const matcher = new PatternMatcher();
    const costMs = cpuMs(() => {
      for (let at = 0; at < 100; at++) {
        expect(matcher.matches(`[ab]*[ab]*b?b?c${at}`, LONGEST)).not.toBe(true);
      }
    });
    expect(costMs).toBeLessThan(500);
  });
});
