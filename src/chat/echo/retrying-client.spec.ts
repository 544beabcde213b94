import { describe, expect, it } from '@jest/globals';
import { isRetryingClient } from './retrying-client.js';

describe('isRetryingClient', () => {
  it.each([
    'OpenAI/JS 7.57.0',
    'OpenAI/Python 2.1.0',
    'AsyncOpenAI/Python 1.40.0',
    'AzureOpenAI/Python 1.40.0',
    'langchainjs-openai/1.0.0 ((node/v24.21.0; linux; x64))',
  ])('recognises %s', (agent) => {
    expect(isRetryingClient({ 'user-agent': agent })).toBe(true);
  });

  it('recognises a library by its own headers under any user agent', () => {
    expect(isRetryingClient({ 'user-agent': 'my-app/1.0', 'x-stainless-lang': 'js' })).toBe(true);
  });

  it.each([
    'curl/8.5.0',
    'node',
    'undici',
    'python-requests/2.32',
    'Mozilla/5.0 (X11)',
    'my-openai/1',
    '',
    'ai/7.0.173 ai-sdk-provider-utils/5.0.81 node.js/24',
    'ai-sdk-openai-compatible/3.0.92 ai-sdk-provider-utils/5.0.81 node.js/24',
  ])('does not recognise %j', (agent) => {
    expect(isRetryingClient({ 'user-agent': agent })).toBe(false);
  });

  it('does not recognise a caller without a user agent', () => {
    expect(isRetryingClient({})).toBe(false);
  });
});
