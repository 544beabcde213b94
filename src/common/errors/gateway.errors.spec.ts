import { expect, it } from '@jest/globals';
import {
  ContextWindowExceededError,
  InvalidRequestError,
  PreviousResponseNotFoundError,
} from './gateway.errors.js';

it('tells a caller no more than a thousand characters, whatever it was sent', () => {
  const long = 'x'.repeat(1_000_000);
  expect(new InvalidRequestError(`Unknown: ${long}`).message).toHaveLength(1000);
  expect(new InvalidRequestError('Unknown: x').message).toBe('Unknown: x');
  const { message } = new PreviousResponseNotFoundError(long);
  expect(message).toMatch(/^Previous response with id 'x{50,100}…' not found\.$/);
});

// Patterns of mods, and of the library of crush.
it.each([
  /^This model's maximum context length is (\d+) tokens. However, your messages resulted in (\d+) tokens/,
  /maximum context length (?:is|of) (\d+) tokens.*?(?:resulted in|requested) ~?(\d+) tokens/,
])('says how much too long a prompt is in words that clients read: %s', (pattern) => {
  const { message } = new ContextWindowExceededError('svc-max', 8192, 9000, 'messages');
  expect(pattern.exec(message)?.slice(1)).toEqual(['8192', '9000']);
});
