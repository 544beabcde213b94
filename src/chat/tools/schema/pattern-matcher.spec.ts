import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
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
    ['^\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}+$', 'Élise Müller'],
    ["^[\\p{L}\\p{M}'’. -]{3,80}$", '漢字 かな'],
    ['^(?=.*[A-Z])(?=.*\\d)(?!-)[^\\s]{8,64}$', 'Password1'],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]{2,}$', 'name@example.com'],
    ['^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', '123e4567-e89b-42d3-a45642661417'],
    ['^[\\u{1F600}-\\u{1F64F}😀]$', '😀'],
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
    '(?i:a)',
    '(?-i:a)',
    '\\p{L}'.repeat(4),
    '[^\\p{L}]{1,2}'.repeat(2),
    '(?:\\p{L}|b)'.repeat(4),
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

  it.each<[string, (at: number) => string, string]>([
    ['repetitions', (at) => `[ab]*[ab]*b?b?c${at}`, 'a'],
    ['counts', (at) => `.{64}!${at}`, 'a'],
    ['counts of letters', (at) => `[\\p{L}\\p{N}]{40}!${at}`, '漢'],
    ['one letter', (at) => `^\\p{L}${at}`, '漢'],
    ['two letters', (at) => `\\p{L}[^\\p{L}]${at}`, '漢'],
    ['many letters', (at) => `${'\\p{L}'.repeat(30)}${at}`, '漢'],
    ['letters in alternatives', (at) => `${'(?:\\p{L}|b)'.repeat(4)}${at}`, '漢'],
    ['any characters', (at) => `${'.'.repeat(150)}${at}`, '漢'],
    ['astral characters', (at) => `[😀-😂][𐐀𐐂𐐄][^𠀀]${at}`, '😀'],
    ['any case', (at) => `(?i:${'\\W'.repeat(80)})${at}`, '漢'],
  ])('takes no longer than its steps say: %s', async (_, pattern, character) => {
    const matcher = new PatternMatcher();
    const texts = Array.from({ length: 200 }, (_none, at) => character.repeat(64).slice(0, 124) + String(at));
    const costMs = cpuMs(() => {
      for (let at = 0; at < 500 && !matcher.isSpent; at++) {
        texts.forEach((text) => matcher.matches(pattern(at), text));
      }
    });
    await cpuPace.expectWithin(costMs, 1500);
  });
});
