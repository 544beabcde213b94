import { describe, expect, test } from '@jest/globals';
import { bearerToken, digestOf, digestOfHeader } from './bearer.js';

describe('bearerToken', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc', 'abc'],
    ["Bearer sk-1_2.3~4+5/6==';--", "sk-1_2.3~4+5/6==';--"],
    ['Bearer Bearer', 'Bearer'],
  ])('%j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  test.each([
    undefined,
    '',
    'abc',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Bearer\tabc',
    ' Bearer abc',
    'Bearer a b',
    'Bearer a,Bearer b',
    'Basic abc',
    'Token abc',
    'Bearer: abc',
  ])('%j holds none', (header) => {
    expect(bearerToken(header)).toBeUndefined();
  });
});

describe('digests', () => {
  test.each(['', 'k', 'key ', 'Key', 'keykey', 'k'.repeat(10_000), 'ke\u0000'])(
    '%j is not "key"',
    (token) => {
      expect(digestOfHeader(token)).not.toBe(digestOf('key'));
      expect(digestOf(token)).not.toBe(digestOf('key'));
    },
  );

  test('are equal for the bytes of a header and for text', () => {
    const digest = digestOf('schlüssel-漢');
    expect(digestOfHeader(Buffer.from('schlüssel-漢', 'utf8').toString('latin1'))).toBe(digest);
    expect(digestOfHeader('schlüssel-漢')).not.toBe(digest);
  });
});
