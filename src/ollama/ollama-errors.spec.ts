import { describe, expect, it } from '@jest/globals';
import { ContextWindowExceededError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { OLLAMA_ERRORS } from './ollama-errors.js';

describe('OLLAMA_ERRORS', () => {
  it('has the message alone', () => {
    expect(OLLAMA_ERRORS.body(new InvalidRequestError('a is b.', 'a'), 'r')).toEqual({ error: 'a is b.' });
  });

  it('begins with words that libraries know for a prompt that is too long', () => {
    const error = new ContextWindowExceededError('m', 100, 120, 'messages');
    expect(OLLAMA_ERRORS.body(error, 'r')).toEqual({
      error: `The input length exceeds the context length. ${error.message}`,
    });
  });
});
