import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { compileUrlPattern } from './url-pattern.js';

describe('compileUrlPattern', () => {
  it.each([
    ['https://a.example/api', 'https://a.example/api', true],
    ['https://a.example/api', 'https://a.example/api#part', true],
    ['https://a.example/api', 'https://a.example/api/x', false],
    ['https://a.example/api*', 'https://a.example/api/x?y=1', true],
    ['https://*/v*/chat', 'https://a.example/v2/chat', true],
    ['https://*/v*/chat', 'https://a.example/v2/chats', false],
    ['ab*ba', 'aba', false],
    ['a*b*b', 'ab', false],
    ['*', 'anything', true],
    ['https://a.example/c?x=*', 'https://a.example/c?x=1', true],
    ['https://a.example/c?x=*', 'https://a.example/cax=1', false],
  ])('%s on %s: %s', (pattern, url, expected) => {
    expect(compileUrlPattern(pattern)(url)).toBe(expected);
  });

  it('takes no time for hostile input', async () => {
    const pattern = compileUrlPattern('*a'.repeat(50) + 'b');
    await cpuPace.expectOnceWithin(() => cpuMs(() => pattern('a'.repeat(100_000))), 1000);
  });
});
