import { describe, expect, it } from '@jest/globals';
import { cutLength, requestExcerpt } from './log-content.js';

describe('requestExcerpt', () => {
  it.each([
    ['  Why does\n\n the test   fail? ', 'Why does the test fail?'],
    ['x'.repeat(120), 'x'.repeat(120)],
    ['x'.repeat(121), `${'x'.repeat(120)}…`],
    [`${' '.repeat(2000)}late`, undefined],
    ['', undefined],
  ])('of %j', (text, expected) => {
    expect(requestExcerpt(text, 'preview')).toBe(expected);
    expect(requestExcerpt(text, 'full')).toBe(expected);
    expect(requestExcerpt(text, 'none')).toBeUndefined();
  });
});

it('says how long a text is that was cut', () => {
  expect([cutLength('x'.repeat(500), 'preview'), cutLength('x'.repeat(501), 'preview')]).toEqual([
    {},
    { chars: 501 },
  ]);
  expect(cutLength('x'.repeat(501), 'full')).toEqual({});
});
