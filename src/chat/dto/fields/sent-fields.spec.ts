import { describe, expect, it } from '@jest/globals';
import { CHAT_PLACES, sentFields } from './sent-fields.js';

describe('sentFields', () => {
  it('names what was sent, and nothing else', () => {
    const body = { model: 'm', messages: [], temperature: 0, top_p: null, top_k: 4, foreign: 1 };
    expect(sentFields(body, CHAT_PLACES)).toEqual({
      model: 'model',
      messages: 'messages',
      temperature: 'temperature',
      top_k: 'top_k',
    });
  });

  it.each([
    [{ max_tokens: 1 }, { max_tokens: 'max_tokens' }],
    [{ max_tokens: 1, max_completion_tokens: 2 }, { max_tokens: 'max_completion_tokens' }],
    [{ guided_json: {} }, { response_format: 'guided_json' }],
  ])('names %j by the name that counts', (body, sent) => {
    expect(sentFields(body, CHAT_PLACES)).toEqual(sent);
  });

  it('names fields within others', () => {
    const places = { verbosity: ['text.verbosity', 'verbosity'] };
    expect(sentFields({ text: { verbosity: 'low' } }, places)).toEqual({ verbosity: 'text.verbosity' });
    expect(sentFields({ text: 'x', verbosity: 'low' }, places)).toEqual({ verbosity: 'verbosity' });
  });
});
