import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { otherApi } from './other-api.js';

const asked = (path: string, count = 2) => trafficOf(refusalsOf(count, { reason: 'not_found' }, { path }));

describe('otherApi', () => {
  it.each([['/openai/deployments/gpt/chat/completions', 'Azure OpenAI']])(
    'knows %s for that of %s',
    (path, api) => {
      expect(otherApi(asked(path))).toMatchObject([
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
    expect(otherApi(asked(path, count))).toEqual([]);
  });
});
