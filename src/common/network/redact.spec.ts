import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { redactBody, redactHeaders, redactSecrets, redactUrl } from './redact.js';

describe('redactHeaders', () => {
  it('redacts headers that are, or may contain, a secret', () => {
    const headers = {
      Authorization: 'Bearer abc',
      'proxy-authorization': 'x',
      Cookie: 'sid=1',
      'set-cookie': ['a=1', 'b=2'],
      'x-api-key': 'k',
      'X-CSRF-Token': 't',
      'x-auth': 'a',
      'content-type': 'application/json',
      'retry-after': 5,
      gone: undefined,
      'x-echo': 'it is hunter22',
    };
    expect(redactHeaders(headers, ['hunter22'])).toEqual({
      authorization: '[redacted]',
      'proxy-authorization': '[redacted]',
      cookie: '[redacted]',
      'set-cookie': '[redacted]',
      'x-api-key': '[redacted]',
      'x-csrf-token': '[redacted]',
      'x-auth': '[redacted]',
      'content-type': 'application/json',
      'retry-after': '5',
      'x-echo': 'it is [redacted]',
    });
  });
});

describe('redactUrl', () => {
  it.each([
    ['https://chat.example/a/b?page=2', 'https://chat.example/a/b?page=2'],
    ['https://me:pass@chat.example/a#part', 'https://chat.example/a'],
    [
      'https://chat.example/?token=abcdefgh12345&key=short',
      'https://chat.example/?token=[redacted]&key=short',
    ],
    ['wss://chat.example/s?access_token=x&a=1', 'wss://chat.example/s?access_token=[redacted]&a=1'],
    [
      'https://chat.example/?API_KEY=x&session-id=y',
      'https://chat.example/?API_KEY=[redacted]&session-id=[redacted]',
    ],
    ['https://chat.example/?p=hunt%20er%2022', 'https://chat.example/?p=[redacted]'],
    ['data:text/plain,hunter22', 'data:…'],
    ['not a url?token=x', 'not a url'],
  ])('writes %s as %s', (url, expected) => {
    expect(redactUrl(url, ['hunt er 22'])).toBe(expected);
  });
});

describe('redactBody', () => {
  it.each([
    ['{"password":"x","user":"me"}', '{"password":"[redacted]","user":"me"}'],
    [
      '{"data": {"accessToken": "x", "refresh_token" : "y"}}',
      '{"data": {"accessToken": "[redacted]", "refresh_token" : "[redacted]"}}',
    ],
    ['{"a":"{\\"api_key\\":\\"x\\"}"}', '{"a":"{\\"api_key\\":\\"[redacted]\\"}"}'],
    ['{"secret":"with \\"quotes\\" in it","b":1}', '{"secret":"[redacted]","b":1}'],
    ['{"b":1,"client_secret":"cut he', '{"b":1,"client_secret":"[redacted]'],
    ['data: {"token":"Hello"}', 'data: {"token":"Hello"}'],
    ['{"token":"eyJhbGciOiJIUzI1NiJ9"}', '{"token":"[redacted]"}'],
    ['user=me&password=x+y&next=%2F', 'user=me&password=[redacted]&next=%2F'],
    ['{"message":"a password is needed"}', '{"message":"a password is needed"}'],
    ['{"passage":"x","tokens":"many","authors":"y"}', '{"passage":"x","tokens":"many","authors":"y"}'],
  ])('writes %s as %s', (body, expected) => {
    expect(redactBody(body)).toBe(expected);
  });

  it('removes given secrets in every encoding', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4, maxLength: 20, unit: 'grapheme' }),
        fc.string(),
        (secret, around) => {
          fc.pre(!'[redacted]'.includes(secret) && !around.includes(secret) && secret.trim() === secret);
          const texts = [
            around + secret + around,
            JSON.stringify({ a: secret }),
            `a=${encodeURIComponent(secret)}`,
          ];
          for (const text of texts) {
            expect(redactSecrets(text, [secret]).split('[redacted]').join('\0')).not.toContain(secret);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(['"a":"', '"password":"\\', '\\"a\\":\\"', 'a=b&', '{"', '"token" : '])(
    'takes 100,000 characters of %j in no time',
    (pump) => {
      const body = pump.repeat(100_000 / pump.length);
      expect(cpuMs(() => redactBody(body))).toBeLessThan(500);
    },
  );
});
