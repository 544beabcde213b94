import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { withoutKeys } from './key-words.js';

describe('withoutKeys', () => {
  it.each([
    ['AIzaSyA-1234567890abcdefghijklmnopqrstuv', 'Google'],
    ['sk-abcdef12', 'OpenAI'],
    ['sk-proj-abc*********xyz', 'OpenAI, masked'],
    ['sess-abcdefg12345', 'OpenAI, of a session'],
    ['gsk_abcdefghijklmnop', 'Groq'],
    ['hf_abcdefghijkl', 'Hugging Face'],
    ['xai-abcdefghijkl', 'xAI'],
    ['key-abc123', 'others'],
    ['Bearer abcdef', 'a header'],
    ['0123456789abcdef0123456789abcdef', 'Azure'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'a JWT'],
  ])('takes %s out, as of %s', (key) => {
    expect(withoutKeys(`Incorrect API key provided: ${key}, for org`)).toBe(
      'Incorrect API key provided: [redacted], for org',
    );
  });

  it.each([
    'Incorrect API key provided, see the key settings',
    'The model gpt-4o-2024-08-06 does not exist, nor claude-3-5-sonnet-20241022 or llama-3.1-70b-instruct.',
    'Reset at 2026-11-25T22:10:00.000Z, in 1800000000000000 ns (req_011CSHoEeqs5C35K2UUqR7Fy).',
    'Trace 123e4567-e89b-12d3-a456-426614174000, request-id: req-0123456789abcdef0123',
    'https://docs.example/errors/context_length_exceeded',
    'Unrecognized request argument supplied: internationalization',
    'messages[12].content[0].image_url',
    'Unknown field key_metadata in parameters.properties.key_path',
  ])('leaves %j as it is', (text) => {
    expect(withoutKeys(text)).toBe(text);
  });

  it.each(['a1-', 'sk-', 'a1.', 'abcdefghijklmno ', '*'])(
    'takes 100,000 characters of %j in no time',
    async (pump) => {
      const text = pump.repeat(100_000 / pump.length);
      await cpuPace.expectOnceWithin(() => cpuMs(() => withoutKeys(text)), 500);
    },
  );
});
