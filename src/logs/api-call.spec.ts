import { expect, test } from '@jest/globals';
import { isApiCall } from './api-call.js';

test.each([
  '/v1/chat/completions',
  '/V1/models',
  '/v1',
  '/v1/any',
  '/v1/messages/count_tokens',
  '/chat/completions',
  '/models/',
  '//v1/messages',
  '/api/v1/responses',
  '/api/tags',
  '/api/Chat',
  '/v1/api/generate',
  '/api/embed',
  '/openai/deployments/gpt/chat/completions',
  '/v1beta/models/gemini:generateContent',
  '/v1beta/cachedContents',
  '/v1/v1beta/models/vendor/gemini:generateContent',
])('%s is a call to the API, or was meant as one', (path) => {
  expect(isApiCall(path)).toBe(true);
});

test.each([
  '/',
  '/v10/a',
  '/dashboard',
  '/dashboard/api/models',
  '/log/json',
  '/health/ready',
  '/metrics',
  '/my-models',
])('%s is none', (path) => {
  expect(isApiCall(path)).toBe(false);
});
