import { describe, expect, it } from '@jest/globals';
import { describeBody, excerptOf, failureOf, MAX_ERROR_CHARS } from './error-body.js';

describe('describeBody', () => {
  it.each([
    ['OpenAI', '{"error":{"message":"m","type":"t","param":"p","code":"c","extra":"x"}}', 'c; t; m; p'],
    ['a plain error', '{"error":"m"}', 'm'],
    [
      'vLLM',
      '{"object":"error","message":"m","type":"BadRequestError","code":400}',
      '400; BadRequestError; m',
    ],
    ['xAI', '{"code":"c","error":"m"}', 'c; m'],
    ['FastAPI', '{"detail":"m"}', 'm'],
    [
      'a validator, without the input it repeats',
      '{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"no","input":"secret"}]}',
      'extra_forbidden; no; body; seed',
    ],
    [
      'Mistral',
      '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"input":1}]},"type":"t"}',
      't; extra_forbidden; body; seed',
    ],
    ['Gemini', '[{"error":{"code":400,"message":"m","status":"S","details":[{}]}}]', '400; S; m'],
    [
      'OpenRouter, with the body of the provider',
      JSON.stringify({
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"m","code":"c"}}', provider_name: 'P' },
        },
      }),
      '400; c; Provider returned error; m',
    ],
    ['OpenRouter, with words of the provider', '{"error":{"metadata":{"raw":"words"}}}', 'words'],
    ['Cloudflare', '{"errors":[{"message":"m","code":5021}],"success":false}', '5021; m'],
    ['anything else', '<html>no</html>', '<html>no</html>'],
    ['JSON that says nothing', '[null,{}]', ''],
  ])('reads the form of %s', (_whose, body, text) => {
    expect(describeBody(body)).toBe(text);
  });
});

describe('failureOf', () => {
  it('finds a status among the fields', () => {
    expect(failureOf({ message: 'm', code: 503 })).toMatchObject({ status: 503, text: '503; m' });
    expect(failureOf({ message: 'm', status: '429' })).toMatchObject({ status: 429, text: '429; m' });
    expect(failureOf({ message: 'm', code: 'c' })).toMatchObject({ status: undefined, text: 'c; m' });
    expect(failureOf({ message: 'm', code: 1302 })).toMatchObject({ status: undefined, text: '1302; m' });
    expect(failureOf([{ error: { message: 'm', code: 429 } }])).toMatchObject({
      status: 429,
      text: '429; m',
    });
    expect(failureOf('m')).toMatchObject({ status: undefined, text: 'm' });
  });

  it('tells codes, which the upstream chose, from the words of the message', () => {
    const raw = '{"error":{"message":"m","code":"c"}}';
    const error = { code: 400, message: 'Provider returned error', metadata: { raw }, param: 'p' };
    expect(failureOf(error)).toEqual({
      status: 400,
      codes: ['400', 'c'],
      message: 'Provider returned error; m; p',
      text: '400; c; Provider returned error; m; p',
    });
  });

  it('reads the beginning of an error that is long, or that has many parts', () => {
    const { text, message } = failureOf({ code: 400, message: '1'.repeat(100_000) });
    expect([text.length, message]).toEqual([MAX_ERROR_CHARS + '; '.length, '1'.repeat(MAX_ERROR_CHARS - 3)]);
    const parts = failureOf({ errors: Array.from({ length: 10_000 }, () => 'a') });
    expect(parts.message).toHaveLength(3 * MAX_ERROR_CHARS - 2);
  });
});

describe('excerptOf', () => {
  it('is short and holds no key, of this account or another', () => {
    const text = `key my-secret-1 refused, also sk-abcdef12 and Bearer abcdef; ${'x'.repeat(300)}`;
    const { message } = excerptOf(text, ['my-secret-1']);
    expect(message).toHaveLength(200);
    expect(message.slice(0, 70)).toBe(
      'key [redacted] refused, also [redacted] and [redacted]; xxxxxxxxxxxxxx',
    );
  });

  it('holds the telling parts of JSON alone', () => {
    const error = {
      message: 'no my-secret-1',
      code: 'bad',
      token: 'abcdefghijklmnop',
      hint: { password: 'p' },
    };
    expect(excerptOf(JSON.stringify({ error }), ['my-secret-1']).message).toBe('bad; no [redacted]');
  });
});
