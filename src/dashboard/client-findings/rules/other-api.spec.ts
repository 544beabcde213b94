import { describe, expect, it } from '@jest/globals';
import { askingFor } from '../../../../test/support/clients/client-traffic.js';
import { otherApi } from './other-api.js';

describe('otherApi', () => {
  it.each([['/openai/deployments/gpt/chat/completions', 'Azure OpenAI']])(
    'knows %s for that of %s',
    (path, api) => {
      expect(otherApi(askingFor(path))).toMatchObject([
        { symptom: expect.stringContaining(api), line: '{origin}/v1' },
      ]);
    },
  );

  it.each([
    ['/openai/deployments/gpt/chat/completions', 1],
    ['/v1beta/models/gemini-pro:generateContent', 9],
    ['/api/tags', 9],
    ['/api/users', 9],
    ['/v1/models', 9],
  ])('finds nothing at %s asked for %i times', (path, count) => {
    expect(otherApi(askingFor(path, count))).toEqual([]);
  });
});
