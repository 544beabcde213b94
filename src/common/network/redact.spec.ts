import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { redactHeaders, redactNamed, redactUrl } from './redact.js';

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

describe('redactHeaders, of headers with URLs', () => {
  const CALLBACK = 'https://app.example/cb?code=abcdefghijklmnop&page=2#access_token=eyJhbGciOi';
  const SAFE = 'https://app.example/cb?code=[redacted]&page=2';

  it.each([
    ['location', CALLBACK, SAFE],
    ['location', '/cb?code=abcdefghijklmnop#x', '/cb?code=[redacted]'],
    ['location', '//ann:pass@app.example/cb?page=2#x', '//app.example/cb?page=2'],
    ['Referer', CALLBACK, SAFE],
    ['content-location', CALLBACK, SAFE],
    [
      'link',
      `<${CALLBACK}>; rel=next, <https://x.example/?page=2>; rel=last`,
      `<${SAFE}>; rel=next, <https://x.example/?page=2>; rel=last`,
    ],
    ['refresh', `5; url=${CALLBACK}`, `5; url=${SAFE}`],
    ['refresh', `0;URL='${CALLBACK}'`, `0;URL='${SAFE}'`],
    ['refresh', '5', '5'],
    ['sec-websocket-protocol', 'bearer, eyJabc', '[redacted]'],
    ['location', 'https://app.example/it%20is/hunter22', 'https://app.example/it%20is/[redacted]'],
  ])('writes %s: %s as %s', (name, value, expected) => {
    expect(redactHeaders({ [name]: value }, ['hunter22'])).toEqual({ [name.toLowerCase()]: expected });
  });

  it('takes a long header of brackets in no time', async () => {
    const link = '<'.repeat(100_000);
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => redactHeaders({ link, refresh: 'url='.repeat(25_000) }, [])),
      500,
    );
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
    ['/a?access_token=x&a=1#b', '/a?access_token=[redacted]&a=1'],
    [
      `https://b.example/?X-Amz-Security-Token=IQoJb3JpZ2lu&ticket=ST-1234567890ab&user[password]=a`,
      'https://b.example/?X-Amz-Security-Token=[redacted]&ticket=[redacted]&user[password]=[redacted]',
    ],
    [
      `https://b.example/?to=${encodeURIComponent('https://c.example/?access_token=x&a=1#y')}&b=2`,
      `https://b.example/?to=${encodeURIComponent('https://c.example/?access_token=')}[redacted]${encodeURIComponent('&a=1')}&b=2`,
    ],
    [
      `https://b.example/?to=${encodeURIComponent('https://c.example/?a=1&b=x')}`,
      `https://b.example/?to=${encodeURIComponent('https://c.example/?a=1&b=x')}`,
    ],
    [
      'https://b.example/?max_tokens=12&next_page_token=abcdefghijklmnop',
      'https://b.example/?max_tokens=12&next_page_token=abcdefghijklmnop',
    ],
  ])('writes %s as %s', (url, expected) => {
    expect(redactUrl(url, ['hunt er 22'])).toBe(expected);
  });
});

describe('redactNamed', () => {
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
    ['{"code":"insufficient_quota"}', '{"code":"insufficient_quota"}'],
    ['{"code":"RESOURCE_EXHAUSTED"}', '{"code":"RESOURCE_EXHAUSTED"}'],
    ['{"code":"abcdefghijklmnop","key":"pass_of_ann_here"}', '{"code":"[redacted]","key":"[redacted]"}'],
    ['{"code":"abcd_efgh_1jklmnop"}', '{"code":"[redacted]"}'],
    ['user=me&password=x+y&next=%2F', 'user=me&password=[redacted]&next=%2F'],
    ['{"message":"a password is needed"}', '{"message":"a password is needed"}'],
    ['{"passage":"x","tokens":"many","authors":"y"}', '{"passage":"x","tokens":"many","authors":"y"}'],
    [
      '{"data":"{\\"access_token\\":\\"abc\\\\/def+ghi\\"}"}',
      '{"data":"{\\"access_token\\":\\"[redacted]\\"}"}',
    ],
    ['{"password":"abc\\', '{"password":"[redacted]'],
    ['{"a":"{\\"password\\":\\"abc\\', '{"a":"{\\"password\\":\\"[redacted]'],
    ['{"cookies":["sid=abc", "b"],"a":"b"}', '{"cookies":["[redacted]", "[redacted]"],"a":"b"}'],
    ['{"refresh_tokens":["a"],"b":1}', '{"refresh_tokens":["[redacted]"],"b":1}'],
    ['{"cookies":["sid=a","cut', '{"cookies":["[redacted]","[redacted]'],
    [
      '{"userToken":"abc","accessJwt":"a","newPassword":"b","encryptedPassword":"c","newpassword":"d","XSRFToken":"e","passWord":"f","passPhrase":"g","APIkey":"h","CSRFtoken":"i"}',
      '{"userToken":"[redacted]","accessJwt":"[redacted]","newPassword":"[redacted]","encryptedPassword":"[redacted]","newpassword":"[redacted]","XSRFToken":"[redacted]","passWord":"[redacted]","passPhrase":"[redacted]","APIkey":"[redacted]","CSRFtoken":"[redacted]"}',
    ],
    [
      'user[password]=a&authenticity_token=z&__RequestVerificationToken=b&user%5Bpassword%5D=c',
      'user[password]=[redacted]&authenticity_token=[redacted]&__RequestVerificationToken=[redacted]&user%5Bpassword%5D=[redacted]',
    ],
    ...[
      '{"max_tokens":12,"prompt_tokens":3,"completion_tokens":4,"tokens":12,"maxTokens":"12"}',
      '{"eos_token":"</s>","stop_token":"<|end|>","nextPageToken":"abcdefghijklmnop","tokens":["Hel","lo"]}',
      '{"compass":"x","bypass":"y","tokenizer":"z","keyboard":"abcdefghijklmnop"}',
      'max_tokens=12&completion_tokens=4',
    ].map((text) => [text, text]),
  ])('writes %s as %s', (body, expected) => {
    expect(redactNamed(body)).toBe(expected);
  });

  it.each([1, 2, 3, 4])('redacts a member of JSON that is written as a text %i times', (times) => {
    const wrapped = (value: string): string => {
      let text = JSON.stringify({ access_token: value, rest: 'x"y' });
      for (let time = 0; time < times; time++) {
        text = JSON.stringify({ data: text, more: 1 });
      }
      return text;
    };
    for (const value of ['abcdef', 'a"b', 'a\\', '\\"', 'a/b\n"']) {
      expect(redactNamed(wrapped(value))).toBe(wrapped('[redacted]'));
    }
  });

  it.each([
    '"a":"',
    '"password":"\\',
    '\\"a\\":\\"',
    'a=b&',
    '{"',
    '"token" : ',
    '"token":"',
    '\\"token\\":\\"',
    '"cookies":[',
    '\\',
    '?a=/?a=',
  ])('takes 100,000 characters of %j in no time', async (pump) => {
    const body = pump.repeat(100_000 / pump.length);
    await cpuPace.expectOnceWithin(() => cpuMs(() => [redactNamed(body), redactUrl(`/?${body}`, [])]), 500);
  });

  it.each(['_a', '_'])('takes a name of 100,000 characters of %j in no time', async (pump) => {
    const form = `${pump.repeat(100_000 / pump.length)}=x`;
    await cpuPace.expectOnceWithin(() => cpuMs(() => redactNamed(form)), 500);
  });
});
