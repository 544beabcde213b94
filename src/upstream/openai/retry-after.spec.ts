import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { limitWaitMs, type ResponseHeaders, waitFromText } from './retry-after.js';

const NOW = Date.parse('2030-01-02T03:04:05Z');

describe('limitWaitMs', () => {
  it.each<[string, ResponseHeaders, number | undefined]>([
    ['nothing', {}, undefined],
    ['seconds', { 'retry-after': '7' }, 7000],
    ['fractions of a second', { 'retry-after': '0.25' }, 250],
    ['zero', { 'retry-after': '0' }, 0],
    ['the first of several', { 'retry-after': ['7', '9'] }, 7000],
    ['an HTTP date', { 'retry-after': 'Wed, 02 Jan 2030 03:05:05 GMT' }, 60_000],
    ['the obsolete form of a date', { 'retry-after': 'Wednesday, 02-Jan-30 03:05:05 GMT' }, 60_000],
    ['a date that is past', { 'retry-after': 'Wed, 02 Jan 2030 03:04:00 GMT' }, 0],
    ['milliseconds first', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['a negative number', { 'retry-after': '-1' }, undefined],
    ['an empty value', { 'retry-after': '' }, undefined],
    ['nonsense, then a reset', { 'retry-after': 'soon', 'x-ratelimit-reset': '3' }, 3000],
    ['a duration', { 'x-ratelimit-reset-requests': '1m30.5s' }, 90_500],
    ['a duration in milliseconds', { 'x-ratelimit-reset-tokens': '20ms' }, 20],
    [
      'the longest reset',
      { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' },
      360_000,
    ],
    [
      'the reset of what is used up',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-tokens': '100',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      1000,
    ],
    ['Unix seconds', { 'x-ratelimit-reset': String(NOW / 1000 + 5) }, 5000],
    ['Unix milliseconds', { 'x-ratelimit-reset': String(NOW + 5) }, 5],
    ['a point in time', { 'x-ratelimit-reset': '2030-01-02T03:04:25Z' }, 20_000],
    ['a reset that is past', { 'x-ratelimit-reset': String(NOW / 1000 - 5) }, 0],
    ['a reset that says nothing', { 'x-ratelimit-reset': 'later' }, undefined],
    ['a lone reset of no time', { 'x-ratelimit-reset-requests': '0' }, undefined],
    [
      'a limit that does not exist (Azure)',
      { 'x-ratelimit-limit-tokens': '-1', 'x-ratelimit-reset-tokens': '30' },
      undefined,
    ],
    [
      'a limit of which less than nothing is left (Azure)',
      { 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-reset-requests': '30' },
      undefined,
    ],
  ])('understands %s', (_what, headers, waitMs) => {
    expect(limitWaitMs(headers, '', NOW)).toBe(waitMs);
  });

  it.each<[string, ResponseHeaders, string, number]>([
    [
      'Retry-After before all else',
      { 'retry-after': '7', 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '9s' },
      'Please try again in 5s.',
      7000,
    ],
    [
      'the reset of what is used up before the words',
      { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '9s' },
      'Please try again in 5s.',
      9000,
    ],
    [
      'the words before the resets of other limits (OpenAI)',
      {
        'x-ratelimit-remaining-requests': '9999',
        'x-ratelimit-reset-requests': '28m48s',
        'x-ratelimit-remaining-tokens': '1000',
        'x-ratelimit-reset-tokens': '1.1s',
      },
      'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000, Requested 1600. Please try again in 1.2s.',
      1200,
    ],
    [
      'the words before a limit that does not exist (Azure)',
      { 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-reset-requests': '0' },
      'Requests have exceeded token rate limit of your current pricing tier. Please retry after 33 seconds.',
      33_000,
    ],
    ['other resets where nothing else is said', { 'x-ratelimit-reset-requests': '1m' }, 'Slow down.', 60_000],
  ])('takes %s', (_what, headers, text, waitMs) => {
    expect(limitWaitMs(headers, text, NOW)).toBe(waitMs);
  });

  it('takes a date without a zone for GMT wherever the gateway runs', () => {
    const module = new URL('./retry-after.ts', import.meta.url).href;
    const script = `import { limitWaitMs } from ${JSON.stringify(module)};
      console.log(limitWaitMs({ 'retry-after': 'Wed Jan  2 03:05:05 2030' }, '', ${NOW}));`;
    const args = ['--no-warnings', '--input-type=module', '--eval', script];
    const env = { ...process.env, TZ: 'America/New_York' };
    expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' }).trim()).toBe('60000');
  });
});

describe('waitFromText', () => {
  it.each([
    ['Rate limit reached. Please try again in 20s. Visit …', 20_000],
    ['Please try again in 6m0s.', 360_000],
    ['please retry after 1.5 seconds', 1500],
    ['Try again in 120ms', 120],
    ['Try again in 2 minutes', 120_000],
    ['try again in 1h 2m 3s', 3_723_000],
    ['Retry after: 30', 30_000],
    ['Try again in 2s 429', 2000],
    ['Try again in 5 months', undefined],
    ['Try again in a moment', undefined],
    ['429 Too Many Requests', undefined],
    ['', undefined],
  ])('reads %j', (text, waitMs) => {
    expect(waitFromText(text)).toBe(waitMs);
  });
});
