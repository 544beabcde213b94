import { expect, it } from '@jest/globals';
import { InvalidRequestError, PreviousResponseNotFoundError } from './gateway.errors.js';

it('tells a caller no more than a thousand characters, whatever it was sent', () => {
  const long = 'x'.repeat(1_000_000);
  expect(new InvalidRequestError(`Unknown: ${long}`).message).toHaveLength(1000);
  expect(new InvalidRequestError('Unknown: x').message).toBe('Unknown: x');
  const { message } = new PreviousResponseNotFoundError(long);
  expect(message).toMatch(/^Previous response with id 'x{50,100}…' not found\.$/);
});
