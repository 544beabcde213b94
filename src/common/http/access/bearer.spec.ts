import { describe, expect, test } from '@jest/globals';
import { bearerToken, KeyDigest } from './bearer.js';

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

describe('KeyDigest', () => {
  test.each(['', 'k', 'key ', 'Key', 'keykey', 'k'.repeat(10_000), 'ke\u0000'])(
    'refuses %j for "key"',
    (token) => {
      expect(new KeyDigest('key').matchesHeader(token)).toBe(false);
      expect(new KeyDigest('key').matchesText(token)).toBe(false);
    },
  );

  test('takes the key as header bytes and as text', () => {
    const digest = new KeyDigest('schlüssel-漢');
    expect(digest.matchesHeader(Buffer.from('schlüssel-漢', 'utf8').toString('latin1'))).toBe(true);
    expect(digest.matchesText('schlüssel-漢')).toBe(true);
    expect(digest.matchesHeader('schlüssel-漢')).toBe(false);
  });
});
